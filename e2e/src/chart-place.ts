import { untilStill } from '@busbar/testkit/still.ts'
import type { Locator } from 'playwright-core'

/** Where the plot of a chart stands, once the page does. */
async function plotOf(chart: Locator) {
  await untilStill(chart.page())
  const plot = await chart.locator('.u-over').first().boundingBox()
  if (!plot) throw new Error('the chart is not drawn')
  return plot
}

/** The horizontal position of a time in a chart that shows a range, in pixels of the page. */
export async function xOf(chart: Locator, at: number, range: { from: number; to: number }): Promise<number> {
  const plot = await plotOf(chart)
  return plot.x + ((at - range.from) / (range.to - range.from)) * plot.width
}

/** The middle of a chart from top to bottom, in pixels of the page. */
export async function yOf(chart: Locator): Promise<number> {
  const plot = await plotOf(chart)
  return plot.y + plot.height / 2
}

/** Zooms a chart that shows `range` to a part of it, by a drag of the mouse. */
export async function dragOver(
  chart: Locator,
  part: { from: number; to: number },
  range: { from: number; to: number },
): Promise<void> {
  const { mouse } = chart.page()
  const y = await yOf(chart)
  await mouse.move(await xOf(chart, part.from, range), y)
  await mouse.down()
  await mouse.move(await xOf(chart, part.to, range), y, { steps: 4 })
  await mouse.up()
}
