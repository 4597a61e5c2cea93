/** Bits that a value takes, up to and without `end`. */
export interface Span {
  start: number
  end: number
}

/**
 * The first tag that takes all of a place, or the only one that takes a part of it; null where there are several, because
 * a write may have changed any of them.
 */
export function findTagAt<T>(tags: readonly T[], place: Span, spanOf: (tag: T) => Span | null): T | null {
  const parts: T[] = []
  for (const tag of tags) {
    const span = spanOf(tag)
    if (span === null || span.end <= place.start || span.start >= place.end) continue
    if (span.start <= place.start && span.end >= place.end) return tag
    parts.push(tag)
  }
  return parts.length === 1 ? (parts[0] ?? null) : null
}
