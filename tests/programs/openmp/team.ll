; ModuleID = 'team.c'
source_filename = "team.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.ident_t = type { i32, i32, i32, i32, ptr }

@0 = private unnamed_addr constant [19 x i8] c";team.c;main;7;7;;\00", align 1
@1 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 18, ptr @0 }, align 8
@2 = private unnamed_addr constant %struct.ident_t { i32 0, i32 66, i32 0, i32 18, ptr @0 }, align 8
@3 = private unnamed_addr constant [19 x i8] c";team.c;main;4;3;;\00", align 1
@4 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 18, ptr @3 }, align 8

; Function Attrs: nounwind uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #0 !dbg !10 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4, !tbaa !23
    #dbg_declare(ptr %4, !18, !DIExpression(), !27)
  store ptr %1, ptr %5, align 8, !tbaa !28
    #dbg_declare(ptr %5, !19, !DIExpression(), !30)
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #4, !dbg !31
    #dbg_declare(ptr %6, !20, !DIExpression(), !32)
  %9 = load ptr, ptr %5, align 8, !dbg !33, !tbaa !28
  %10 = getelementptr inbounds ptr, ptr %9, i64 1, !dbg !33
  %11 = load ptr, ptr %10, align 8, !dbg !33, !tbaa !28
  %12 = call i32 @atoi(ptr noundef %11), !dbg !34
  store i32 %12, ptr %6, align 4, !dbg !32, !tbaa !23
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #4, !dbg !31
    #dbg_declare(ptr %7, !21, !DIExpression(), !35)
  %13 = load ptr, ptr %5, align 8, !dbg !36, !tbaa !28
  %14 = getelementptr inbounds ptr, ptr %13, i64 2, !dbg !36
  %15 = load ptr, ptr %14, align 8, !dbg !36, !tbaa !28
  %16 = call i32 @atoi(ptr noundef %15), !dbg !37
  store i32 %16, ptr %7, align 4, !dbg !35, !tbaa !23
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #4, !dbg !38
    #dbg_declare(ptr %8, !22, !DIExpression(), !39)
  store i32 0, ptr %8, align 4, !dbg !39, !tbaa !23
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @4, i32 3, ptr @main.omp_outlined, ptr %7, ptr %6, ptr %8), !dbg !40
  %17 = load i32, ptr %8, align 4, !dbg !41, !tbaa !23
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #4, !dbg !42
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #4, !dbg !42
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #4, !dbg !42
  ret i32 %17, !dbg !43
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare !dbg !44 i32 @atoi(ptr noundef) #2

; Function Attrs: alwaysinline norecurse nounwind uwtable
define internal void @main.omp_outlined_debug__(ptr noalias noundef %0, ptr noalias noundef %1, ptr noundef nonnull align 4 dereferenceable(4) %2, ptr noundef nonnull align 4 dereferenceable(4) %3, ptr noundef nonnull align 4 dereferenceable(4) %4) #3 !dbg !49 {
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca ptr, align 8
  %10 = alloca ptr, align 8
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  %18 = alloca i32, align 4
  %19 = alloca i32, align 4
  %20 = alloca i32, align 4
  %21 = alloca i32, align 4
  store ptr %0, ptr %6, align 8, !tbaa !28
    #dbg_declare(ptr %6, !58, !DIExpression(), !76)
  store ptr %1, ptr %7, align 8, !tbaa !28
    #dbg_declare(ptr %7, !59, !DIExpression(), !76)
  store ptr %2, ptr %8, align 8, !tbaa !28
    #dbg_declare(ptr %8, !60, !DIExpression(), !77)
  store ptr %3, ptr %9, align 8, !tbaa !28
    #dbg_declare(ptr %9, !61, !DIExpression(), !78)
  store ptr %4, ptr %10, align 8, !tbaa !28
    #dbg_declare(ptr %10, !62, !DIExpression(), !79)
  %22 = load ptr, ptr %8, align 8, !dbg !80, !tbaa !28
  %23 = load ptr, ptr %9, align 8, !dbg !80, !tbaa !28
  %24 = load ptr, ptr %10, align 8, !dbg !80, !tbaa !28
  call void @llvm.lifetime.start.p0(i64 4, ptr %11) #4, !dbg !81
    #dbg_declare(ptr %11, !63, !DIExpression(), !82)
  store i32 0, ptr %11, align 4, !dbg !82, !tbaa !23
  br label %25, !dbg !81

25:                                               ; preds = %73, %5
  %26 = load i32, ptr %11, align 4, !dbg !83, !tbaa !23
  %27 = load i32, ptr %22, align 4, !dbg !84, !tbaa !23
  %28 = icmp slt i32 %26, %27, !dbg !85
  br i1 %28, label %30, label %29, !dbg !86

29:                                               ; preds = %25
  call void @llvm.lifetime.end.p0(i64 4, ptr %11) #4, !dbg !87
  br label %76

30:                                               ; preds = %25
  call void @llvm.lifetime.start.p0(i64 4, ptr %12) #4, !dbg !88
    #dbg_declare(ptr %12, !66, !DIExpression(), !89)
  call void @llvm.lifetime.start.p0(i64 4, ptr %14) #4, !dbg !88
    #dbg_declare(ptr %14, !70, !DIExpression(), !89)
  %31 = load i32, ptr %23, align 4, !dbg !90, !tbaa !23
  store i32 %31, ptr %14, align 4, !dbg !90, !tbaa !23
  call void @llvm.lifetime.start.p0(i64 4, ptr %15) #4, !dbg !88
    #dbg_declare(ptr %15, !70, !DIExpression(), !89)
  %32 = load i32, ptr %14, align 4, !dbg !90, !tbaa !23
  %33 = sub nsw i32 %32, 0, !dbg !91
  %34 = sdiv i32 %33, 1, !dbg !91
  %35 = sub nsw i32 %34, 1, !dbg !91
  store i32 %35, ptr %15, align 4, !dbg !91, !tbaa !23
  call void @llvm.lifetime.start.p0(i64 4, ptr %16) #4, !dbg !88
    #dbg_declare(ptr %16, !71, !DIExpression(), !89)
  store i32 0, ptr %16, align 4, !dbg !92, !tbaa !23
  call void @llvm.lifetime.end.p0(i64 4, ptr %16) #4, !dbg !88
  %36 = load i32, ptr %14, align 4, !dbg !90, !tbaa !23
  %37 = icmp slt i32 0, %36, !dbg !91
  br i1 %37, label %38, label %70, !dbg !88

38:                                               ; preds = %30
  call void @llvm.lifetime.start.p0(i64 4, ptr %17) #4, !dbg !88
    #dbg_declare(ptr %17, !72, !DIExpression(), !89)
  store i32 0, ptr %17, align 4, !dbg !93, !tbaa !23
  call void @llvm.lifetime.start.p0(i64 4, ptr %18) #4, !dbg !88
    #dbg_declare(ptr %18, !73, !DIExpression(), !89)
  %39 = load i32, ptr %15, align 4, !dbg !91, !tbaa !23
  store i32 %39, ptr %18, align 4, !dbg !93, !tbaa !23
  call void @llvm.lifetime.start.p0(i64 4, ptr %19) #4, !dbg !88
    #dbg_declare(ptr %19, !74, !DIExpression(), !89)
  store i32 1, ptr %19, align 4, !dbg !93, !tbaa !23
  call void @llvm.lifetime.start.p0(i64 4, ptr %20) #4, !dbg !88
    #dbg_declare(ptr %20, !75, !DIExpression(), !89)
  store i32 0, ptr %20, align 4, !dbg !93, !tbaa !23
  call void @llvm.lifetime.start.p0(i64 4, ptr %21) #4, !dbg !88
    #dbg_declare(ptr %21, !71, !DIExpression(), !89)
  %40 = load i32, ptr %15, align 4, !dbg !91, !tbaa !23
  %41 = load ptr, ptr %6, align 8, !dbg !88
  %42 = load i32, ptr %41, align 4, !dbg !88, !tbaa !23
  call void @__kmpc_dispatch_init_4(ptr @1, i32 %42, i32 1073741859, i32 0, i32 %40, i32 1, i32 1), !dbg !88
  br label %43, !dbg !88

43:                                               ; preds = %66, %38
  %44 = load ptr, ptr %6, align 8, !dbg !88
  %45 = load i32, ptr %44, align 4, !dbg !88, !tbaa !23
  %46 = call i32 @__kmpc_dispatch_next_4(ptr @1, i32 %45, ptr %20, ptr %17, ptr %18, ptr %19), !dbg !88
  %47 = icmp ne i32 %46, 0, !dbg !88
  br i1 %47, label %49, label %48, !dbg !88

48:                                               ; preds = %43
  br label %67, !dbg !88

49:                                               ; preds = %43
  %50 = load i32, ptr %17, align 4, !dbg !93, !tbaa !23
  store i32 %50, ptr %12, align 4, !dbg !93, !tbaa !23
  br label %51, !dbg !88

51:                                               ; preds = %62, %49
  %52 = load i32, ptr %12, align 4, !dbg !93, !tbaa !23, !llvm.access.group !94
  %53 = load i32, ptr %18, align 4, !dbg !93, !tbaa !23, !llvm.access.group !94
  %54 = icmp sle i32 %52, %53, !dbg !91
  br i1 %54, label %56, label %55, !dbg !88

55:                                               ; preds = %51
  br label %65, !dbg !88

56:                                               ; preds = %51
  %57 = load i32, ptr %12, align 4, !dbg !93, !tbaa !23, !llvm.access.group !94
  %58 = mul nsw i32 %57, 1, !dbg !92
  %59 = add nsw i32 0, %58, !dbg !92
  store i32 %59, ptr %21, align 4, !dbg !92, !tbaa !23, !llvm.access.group !94
  %60 = atomicrmw add ptr %24, i32 1 monotonic, align 4, !dbg !95, !llvm.access.group !94
  br label %61, !dbg !98

61:                                               ; preds = %56
  br label %62, !dbg !99

62:                                               ; preds = %61
  %63 = load i32, ptr %12, align 4, !dbg !93, !tbaa !23, !llvm.access.group !94
  %64 = add nsw i32 %63, 1, !dbg !91
  store i32 %64, ptr %12, align 4, !dbg !91, !tbaa !23, !llvm.access.group !94
  br label %51, !dbg !99, !llvm.loop !100

65:                                               ; preds = %55
  br label %66, !dbg !99

66:                                               ; preds = %65
  br label %43, !dbg !99, !llvm.loop !103

67:                                               ; preds = %48
  %68 = load ptr, ptr %6, align 8, !dbg !99
  %69 = load i32, ptr %68, align 4, !dbg !99, !tbaa !23
  call void @__kmpc_dispatch_deinit(ptr @1, i32 %69), !dbg !99
  call void @llvm.lifetime.end.p0(i64 4, ptr %21) #4, !dbg !99
  call void @llvm.lifetime.end.p0(i64 4, ptr %20) #4, !dbg !99
  call void @llvm.lifetime.end.p0(i64 4, ptr %19) #4, !dbg !99
  call void @llvm.lifetime.end.p0(i64 4, ptr %18) #4, !dbg !99
  call void @llvm.lifetime.end.p0(i64 4, ptr %17) #4, !dbg !99
  br label %70, !dbg !99

70:                                               ; preds = %67, %30
  call void @llvm.lifetime.end.p0(i64 4, ptr %15) #4, !dbg !99
  call void @llvm.lifetime.end.p0(i64 4, ptr %14) #4, !dbg !99
  call void @llvm.lifetime.end.p0(i64 4, ptr %12) #4, !dbg !99
  %71 = load ptr, ptr %6, align 8, !dbg !101
  %72 = load i32, ptr %71, align 4, !dbg !101, !tbaa !23
  call void @__kmpc_barrier(ptr @2, i32 %72), !dbg !101
  br label %73, !dbg !104

73:                                               ; preds = %70
  %74 = load i32, ptr %11, align 4, !dbg !105, !tbaa !23
  %75 = add nsw i32 %74, 1, !dbg !105
  store i32 %75, ptr %11, align 4, !dbg !105, !tbaa !23
  br label %25, !dbg !87, !llvm.loop !106

76:                                               ; preds = %29
  ret void, !dbg !109
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind
declare void @__kmpc_dispatch_init_4(ptr, i32, i32, i32, i32, i32, i32) #4

; Function Attrs: nounwind
declare i32 @__kmpc_dispatch_next_4(ptr, i32, ptr, ptr, ptr, ptr) #4

; Function Attrs: nounwind
declare void @__kmpc_dispatch_deinit(ptr, i32) #4

; Function Attrs: convergent nounwind
declare void @__kmpc_barrier(ptr, i32) #5

; Function Attrs: alwaysinline norecurse nounwind uwtable
define internal void @main.omp_outlined(ptr noalias noundef %0, ptr noalias noundef %1, ptr noundef nonnull align 4 dereferenceable(4) %2, ptr noundef nonnull align 4 dereferenceable(4) %3, ptr noundef nonnull align 4 dereferenceable(4) %4) #3 !dbg !110 {
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca ptr, align 8
  %10 = alloca ptr, align 8
  store ptr %0, ptr %6, align 8, !tbaa !28
    #dbg_declare(ptr %6, !112, !DIExpression(), !117)
  store ptr %1, ptr %7, align 8, !tbaa !28
    #dbg_declare(ptr %7, !113, !DIExpression(), !117)
  store ptr %2, ptr %8, align 8, !tbaa !28
    #dbg_declare(ptr %8, !114, !DIExpression(), !117)
  store ptr %3, ptr %9, align 8, !tbaa !28
    #dbg_declare(ptr %9, !115, !DIExpression(), !117)
  store ptr %4, ptr %10, align 8, !tbaa !28
    #dbg_declare(ptr %10, !116, !DIExpression(), !117)
  %11 = load ptr, ptr %8, align 8, !dbg !118, !tbaa !28
  %12 = load ptr, ptr %9, align 8, !dbg !118, !tbaa !28
  %13 = load ptr, ptr %10, align 8, !dbg !118, !tbaa !28
  %14 = load ptr, ptr %6, align 8, !dbg !118, !tbaa !28
  %15 = load ptr, ptr %7, align 8, !dbg !118, !tbaa !28
  %16 = load ptr, ptr %8, align 8, !dbg !118, !tbaa !28
  %17 = load ptr, ptr %9, align 8, !dbg !118, !tbaa !28
  %18 = load ptr, ptr %10, align 8, !dbg !118, !tbaa !28
  call void @main.omp_outlined_debug__(ptr %14, ptr %15, ptr %16, ptr %17, ptr %18) #4, !dbg !118
  ret void, !dbg !118
}

; Function Attrs: nounwind
declare !callback !119 void @__kmpc_fork_call(ptr, i32, ptr, ...) #4

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { alwaysinline norecurse nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind }
attributes #5 = { convergent nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7, !8}
!llvm.ident = !{!9}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang version 19.1.7", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "team.c", directory: ".", checksumkind: CSK_MD5, checksum: "5dd3f948e1ce64d2aeb50b3e42838982")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 7, !"openmp", i32 51}
!6 = !{i32 8, !"PIC Level", i32 2}
!7 = !{i32 7, !"PIE Level", i32 2}
!8 = !{i32 7, !"uwtable", i32 2}
!9 = !{!"clang version 19.1.7"}
!10 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 2, type: !11, scopeLine: 2, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !17)
!11 = !DISubroutineType(types: !12)
!12 = !{!13, !13, !14}
!13 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!14 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !15, size: 64)
!15 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !16, size: 64)
!16 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!17 = !{!18, !19, !20, !21, !22}
!18 = !DILocalVariable(name: "argc", arg: 1, scope: !10, file: !1, line: 2, type: !13)
!19 = !DILocalVariable(name: "argv", arg: 2, scope: !10, file: !1, line: 2, type: !14)
!20 = !DILocalVariable(name: "n", scope: !10, file: !1, line: 3, type: !13)
!21 = !DILocalVariable(name: "m", scope: !10, file: !1, line: 3, type: !13)
!22 = !DILocalVariable(name: "s", scope: !10, file: !1, line: 3, type: !13)
!23 = !{!24, !24, i64 0}
!24 = !{!"int", !25, i64 0}
!25 = !{!"omnipotent char", !26, i64 0}
!26 = !{!"Simple C/C++ TBAA"}
!27 = !DILocation(line: 2, column: 14, scope: !10)
!28 = !{!29, !29, i64 0}
!29 = !{!"any pointer", !25, i64 0}
!30 = !DILocation(line: 2, column: 27, scope: !10)
!31 = !DILocation(line: 3, column: 3, scope: !10)
!32 = !DILocation(line: 3, column: 7, scope: !10)
!33 = !DILocation(line: 3, column: 16, scope: !10)
!34 = !DILocation(line: 3, column: 11, scope: !10)
!35 = !DILocation(line: 3, column: 26, scope: !10)
!36 = !DILocation(line: 3, column: 35, scope: !10)
!37 = !DILocation(line: 3, column: 30, scope: !10)
!38 = !DILocation(line: 3, column: 45, scope: !10)
!39 = !DILocation(line: 3, column: 49, scope: !10)
!40 = !DILocation(line: 4, column: 3, scope: !10)
!41 = !DILocation(line: 14, column: 10, scope: !10)
!42 = !DILocation(line: 15, column: 1, scope: !10)
!43 = !DILocation(line: 14, column: 3, scope: !10)
!44 = !DISubprogram(name: "atoi", scope: !1, file: !1, line: 1, type: !45, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!45 = !DISubroutineType(types: !46)
!46 = !{!13, !47}
!47 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !48, size: 64)
!48 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !16)
!49 = distinct !DISubprogram(name: "main.omp_outlined_debug__", scope: !1, file: !1, line: 5, type: !50, scopeLine: 5, flags: DIFlagArtificial | DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !57)
!50 = !DISubroutineType(types: !51)
!51 = !{null, !52, !52, !56, !56, !56}
!52 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !53)
!53 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !54)
!54 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !55, size: 64)
!55 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !13)
!56 = !DIDerivedType(tag: DW_TAG_reference_type, baseType: !13, size: 64)
!57 = !{!58, !59, !60, !61, !62, !63, !66, !70, !70, !71, !72, !73, !74, !75, !71}
!58 = !DILocalVariable(name: ".global_tid.", arg: 1, scope: !49, type: !52, flags: DIFlagArtificial)
!59 = !DILocalVariable(name: ".bound_tid.", arg: 2, scope: !49, type: !52, flags: DIFlagArtificial)
!60 = !DILocalVariable(name: "m", arg: 3, scope: !49, file: !1, line: 3, type: !56)
!61 = !DILocalVariable(name: "n", arg: 4, scope: !49, file: !1, line: 3, type: !56)
!62 = !DILocalVariable(name: "s", arg: 5, scope: !49, file: !1, line: 3, type: !56)
!63 = !DILocalVariable(name: "t", scope: !64, file: !1, line: 6, type: !13)
!64 = distinct !DILexicalBlock(scope: !65, file: !1, line: 6, column: 5)
!65 = distinct !DILexicalBlock(scope: !49, file: !1, line: 5, column: 3)
!66 = !DILocalVariable(name: ".omp.iv", scope: !67, type: !13, flags: DIFlagArtificial)
!67 = distinct !DILexicalBlock(scope: !68, file: !1, line: 7, column: 7)
!68 = distinct !DILexicalBlock(scope: !69, file: !1, line: 6, column: 33)
!69 = distinct !DILexicalBlock(scope: !64, file: !1, line: 6, column: 5)
!70 = !DILocalVariable(name: ".capture_expr.", scope: !67, type: !13, flags: DIFlagArtificial)
!71 = !DILocalVariable(name: "i", scope: !67, type: !13, flags: DIFlagArtificial)
!72 = !DILocalVariable(name: ".omp.lb", scope: !67, type: !13, flags: DIFlagArtificial)
!73 = !DILocalVariable(name: ".omp.ub", scope: !67, type: !13, flags: DIFlagArtificial)
!74 = !DILocalVariable(name: ".omp.stride", scope: !67, type: !13, flags: DIFlagArtificial)
!75 = !DILocalVariable(name: ".omp.is_last", scope: !67, type: !13, flags: DIFlagArtificial)
!76 = !DILocation(line: 0, scope: !49)
!77 = !DILocation(line: 3, column: 26, scope: !49)
!78 = !DILocation(line: 3, column: 7, scope: !49)
!79 = !DILocation(line: 3, column: 49, scope: !49)
!80 = !DILocation(line: 5, column: 3, scope: !49)
!81 = !DILocation(line: 6, column: 10, scope: !64)
!82 = !DILocation(line: 6, column: 14, scope: !64)
!83 = !DILocation(line: 6, column: 21, scope: !69)
!84 = !DILocation(line: 6, column: 25, scope: !69)
!85 = !DILocation(line: 6, column: 23, scope: !69)
!86 = !DILocation(line: 6, column: 5, scope: !64)
!87 = !DILocation(line: 6, column: 5, scope: !69)
!88 = !DILocation(line: 7, column: 7, scope: !68)
!89 = !DILocation(line: 0, scope: !67)
!90 = !DILocation(line: 8, column: 27, scope: !67)
!91 = !DILocation(line: 8, column: 7, scope: !67)
!92 = !DILocation(line: 8, column: 30, scope: !67)
!93 = !DILocation(line: 8, column: 12, scope: !67)
!94 = distinct !{}
!95 = !DILocation(line: 10, column: 9, scope: !96)
!96 = distinct !DILexicalBlock(scope: !97, file: !1, line: 9, column: 9)
!97 = distinct !DILexicalBlock(scope: !67, file: !1, line: 8, column: 35)
!98 = !DILocation(line: 11, column: 7, scope: !97)
!99 = !DILocation(line: 7, column: 7, scope: !67)
!100 = distinct !{!100, !99, !101, !102}
!101 = !DILocation(line: 7, column: 40, scope: !67)
!102 = !{!"llvm.loop.parallel_accesses", !94}
!103 = distinct !{!103, !99, !101}
!104 = !DILocation(line: 12, column: 5, scope: !68)
!105 = !DILocation(line: 6, column: 29, scope: !69)
!106 = distinct !{!106, !86, !107, !108}
!107 = !DILocation(line: 12, column: 5, scope: !64)
!108 = !{!"llvm.loop.mustprogress"}
!109 = !DILocation(line: 13, column: 3, scope: !49)
!110 = distinct !DISubprogram(name: "main.omp_outlined", scope: !1, file: !1, line: 4, type: !50, scopeLine: 4, flags: DIFlagArtificial | DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !111)
!111 = !{!112, !113, !114, !115, !116}
!112 = !DILocalVariable(name: ".global_tid.", arg: 1, scope: !110, type: !52, flags: DIFlagArtificial)
!113 = !DILocalVariable(name: ".bound_tid.", arg: 2, scope: !110, type: !52, flags: DIFlagArtificial)
!114 = !DILocalVariable(name: "m", arg: 3, scope: !110, type: !56, flags: DIFlagArtificial)
!115 = !DILocalVariable(name: "n", arg: 4, scope: !110, type: !56, flags: DIFlagArtificial)
!116 = !DILocalVariable(name: "s", arg: 5, scope: !110, type: !56, flags: DIFlagArtificial)
!117 = !DILocation(line: 0, scope: !110)
!118 = !DILocation(line: 4, column: 3, scope: !110)
!119 = !{!120}
!120 = !{i64 2, i64 -1, i64 -1, i1 true}
