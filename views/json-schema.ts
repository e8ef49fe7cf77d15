interface Bounds {
  jsonSchema: { minimum?: number; maximum?: number }
}

/** That a number is one of JavaScript's is nothing that the reader of a schema has to know. */
export function withoutSafeBounds({ jsonSchema }: Bounds): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
