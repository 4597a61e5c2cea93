/** A counter falls once in so many samples at most; one fall is always believed. */
const samplesPerFallMin = 20

/** Whether the rise of a variable means something: one that falls often is no counter. */
export const isCounterRise = ({ resets }: { readonly resets: number }, samples: number): boolean =>
  resets <= Math.max(1, samples / samplesPerFallMin)
