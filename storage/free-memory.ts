/**
 * Frees the memory of a buffer that is no longer used. What the garbage collector has to find counts towards its next run over the whole
 * heap; with buffers of mebibytes, these runs took half of the processor. Never call it for a buffer that was given to a socket: after an
 * error the socket may still read it.
 */
export function freeMemory({ buffer, byteLength }: Buffer): void {
  // Small buffers share their memory.
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  if (isOwn) buffer.transfer(0)
}
