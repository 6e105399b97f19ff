# The instruction sets that the fast path is compiled for, and the options of each.
option(ATTENTION_X86_TILES "Compile the fast path for AVX2 and AVX-512 too; the machine that runs it chooses" ON)
set(instruction_sets baseline)
if(ATTENTION_X86_TILES AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT EMSCRIPTEN)
  list(APPEND instruction_sets avx2 avx512)
  set(avx2 -mavx2 -mfma)
  set(avx512 ${avx2} -mavx512f -mavx512dq -mavx512bw -mavx512vl)
endif()

# Adds a source to a target once for each instruction set, compiled as the core is but always at full speed.
# It may fuse a product and a sum, because the fast path promises a tolerance, not bits. Its vectors are written by hand:
# automatic vectorisation gains nothing, and with GCC 12 it reads entries at wrong places. Emscripten disables inlining
# if -Oz is among the options, even before an -O3.
function(add_for_instruction_sets target source core)
  get_filename_component(stem ${source} NAME_WE)
  foreach(instruction_set IN LISTS instruction_sets)
    set(objects ${target}_${stem}_${instruction_set})
    add_library(${objects} OBJECT EXCLUDE_FROM_ALL ${source})
    set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE $<NOT:$<BOOL:${EMSCRIPTEN}>>)
    target_include_directories(${objects} PRIVATE ${operator_folders})
    target_include_directories(${objects} SYSTEM PRIVATE ${core_headers})
    target_compile_definitions(${objects} PRIVATE ATTENTION_INSTRUCTION_SET=${instruction_set})
    target_compile_options(${objects} PRIVATE -O3 -finline-functions
      $<TARGET_PROPERTY:${core},COMPILE_OPTIONS>
      -ffp-contract=fast -fno-tree-vectorize ${${instruction_set}})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
  if(avx2)
    target_compile_definitions(${target} PRIVATE ATTENTION_X86_TILES)
  endif()
endfunction()
