import type { Locator } from 'playwright-core'

/** The horizontal position of a time in a chart that shows a range, in pixels of the page. */
export async function xOf(chart: Locator, at: number, range: { from: number; to: number }): Promise<number> {
  const plot = await chart.locator('.u-over').first().boundingBox()
  if (!plot) throw new Error('the chart is not drawn')
  return plot.x + ((at - range.from) / (range.to - range.from)) * plot.width
}

/** The middle of a chart from top to bottom, in pixels of the page. */
export async function yOf(chart: Locator): Promise<number> {
  const plot = await chart.locator('.u-over').first().boundingBox()
  return (plot?.y ?? 0) + (plot?.height ?? 0) / 2
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
