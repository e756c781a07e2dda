!mod$ v1 sum:09691a44d7559368
module tools
contains
function half(k)
integer(4),intent(in)::k
integer(4)::half
end
subroutine inner(k,s)
integer(4),intent(in)::k
integer(4),intent(inout)::s
end
end
