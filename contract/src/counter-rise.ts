/** The least samples per fall of a counter; a single fall is always accepted. */
const samplesPerFallMin = 20

/** Whether the rise of a variable is meaningful: a variable that falls often is not a counter. */
export const isCounterRise = ({ resets }: { readonly resets: number }, samples: number): boolean =>
  resets <= Math.max(1, samples / samplesPerFallMin)
