// How the C library's allocator treats pictures.
#pragma once

namespace vmafbatch {

// Has blocks of the size of a picture mapped on their own and unmapped when they are freed. By itself glibc moves them into its heaps
// after the first free, one heap for each thread, and keeps what is freed there: four times --memory was seen with eight threads.
// Call it before threads start.
void keep_pictures_out_of_the_heap();

// The other way: memory of decoded pictures stays with its thread. For runs on a device, where decoding bounds the speed and each mapping
// costs every thread's page faults. --memory then bounds the pictures, not the process: each thread may keep some of its own.
void keep_pictures_in_the_heap();

}  // namespace vmafbatch
