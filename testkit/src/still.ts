/** A map whose tiles do not come is looked at as it is. */
const mapMsMax = 20_000
const lookMs = 50

/**
 * Runs in a page. Left out are animations without an end, those that follow scrolling, and those out of sight, which the
 * browser does not play on.
 */
const stillScript = `(async () => {
  const moving = () => document.getAnimations().filter(({ playState, timeline, effect }) =>
    playState === 'running' && timeline === document.timeline &&
    effect.getComputedTiming().endTime !== Infinity && effect.target.checkVisibility({ contentVisibilityAuto: true }))
  for (let some = moving(); some.length > 0; some = moving())
    await Promise.allSettled(some.map(({ finished }) => finished))
  const isDrawn = () => document.querySelector('.maplibregl-map[aria-busy="true"]') === null
  for (let waitedMs = 0; !isDrawn() && waitedMs < ${mapMsMax}; waitedMs += ${lookMs})
    await new Promise((look) => setTimeout(look, ${lookMs}))
})()`

/**
 * Waits until the animations and transitions of a page have ended, and its maps are drawn. Every helper that looks at a page or points at a place of
 * it waits here first: text that fades in has too little contrast, and a moving part is touched beside its middle. With
 * reduced motion the first frame of an animation also stays until a busy machine draws the next.
 * @param page - a page of Playwright, or a frame
 */
export async function untilStill(page: { evaluate(script: string): Promise<unknown> }): Promise<void> {
  await page.evaluate(stillScript)
}
