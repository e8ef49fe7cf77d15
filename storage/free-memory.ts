/**
 * Frees the memory of a buffer that is no longer used. What the garbage collector has to find counts towards its next run over the whole
 * heap; with buffers of mebibytes, these runs took half of the processor. Not for what was given to a socket: it may still be sent after
 * an error, and would then be other memory.
 */
export function freeMemory({ buffer, byteLength }: Buffer): void {
  // Small buffers share their memory.
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  if (isOwn) buffer.transfer(0)
}
