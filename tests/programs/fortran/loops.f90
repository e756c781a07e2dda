! Loops that Fortran programs are made of. `work` is analysed over its arguments; the program reads n and m.
module tools
contains
  integer function half(k)
    integer, intent(in) :: k
    half = k / 2
  end function half
  subroutine inner(k, s)
    integer, intent(in) :: k
    integer, intent(inout) :: s
    integer :: l
    do l = 1, k
      s = s + l
    end do
  end subroutine inner
end module tools
subroutine work(n, m, s)
  use tools
  implicit none
  integer, intent(in) :: n, m
  integer, intent(inout) :: s
  integer :: i, j, k
  do i = 1, n
    do j = i, n, 2
      s = s + j
    end do
  end do
  do i = n, 1, -3
    s = s + 1
  end do
  do i = 1, m
    if (i > 5) exit
    if (mod(i, 2) == 0) cycle
    do k = 1, n
      s = s + 2
    end do
  end do
  k = n
  do while (k > 1)
    k = k / 2
  end do
  k = 0
  do
    k = k + 1
    if (k >= m) exit
  end do
  outer: do i = 1, m
    do j = 1, n + 1
      s = s + 1
    end do
  end do outer
  call inner(n + m, s)
  do i = 1, m
    call inner(n, s)
  end do
end subroutine work
program main
  implicit none
  integer :: n, m, s
  character(len=32) :: word
  call get_command_argument(1, word)
  read(word, *) n
  call get_command_argument(2, word)
  read(word, *) m
  s = 0
  call work(n, m, s)
  print *, s
end program main
