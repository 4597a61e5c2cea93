import type { Page } from 'playwright-core'

// A text, because this project does not know the types of the browser, nor of its longtask entries.
const beginScript = `
  globalThis.busbarLongTasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.busbarLongTasks.push(duration)
  }).observe({ type: 'longtask' })`

/** Entries are handed over between tasks: a moment later they have been. */
const takeScript = `
  new Promise((resolve) => setTimeout(() => resolve(globalThis.busbarLongTasks.splice(0)), 80))`

/**
 * A page that counts its long tasks, which a person feels as a stutter, by the browser's own measure from 50
 * ms on.
 */
export interface LongTaskWatch {
  /** The duration of each long task since the last call, in ms. */
  take(): Promise<number[]>
}

/** Counts a page's long tasks from now on. */
export async function watchLongTasks(page: Page): Promise<LongTaskWatch> {
  await page.evaluate(beginScript)
  return { take: () => page.evaluate<number[]>(takeScript) }
}

/** Turns the wheel over the middle of the page: `steps` times `pixels`, about a frame apart. */
export async function scrollByWheel(page: Page, steps: number, pixels: number): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await page.mouse.move(width / 2, height * 0.6)
  for (let step = 0; step < steps; step++) {
    await page.mouse.wheel(0, pixels)
    await page.waitForTimeout(16)
  }
}
