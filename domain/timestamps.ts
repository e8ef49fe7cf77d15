/** A time as every answer carries it: ISO 8601 with a UTC offset (spec, "Video status"). */
export const isoUtc = (date: Date): string => date.toISOString().replace('Z', '+00:00')
