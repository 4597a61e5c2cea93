import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '../../../test-support/render.tsx'
import { KitPage } from './kit-page.tsx'
import { kitTexts } from './kit-text.ts'

const faultsOf = async () => {
  // A panel that is still fading in has too little contrast.
  for (const animation of document.getAnimations())
    if (animation.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY) animation.finish()
  return (await axe.run(document.body, { resultTypes: ['violations'] })).violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  )
}

describe.each(['cn', 'en'] as const)('every part of the kit in %s', (lang) => {
  const t = kitTexts[lang]

  it.each(['light', 'dark'] as const)('can be read and is named in the %s theme', async (theme) => {
    await render(<KitPage />, lang, { theme })
    expect(await faultsOf()).toEqual([])
  })

  it.each(['light', 'dark'] as const)('can be read and is named when it is open in %s', async (theme) => {
    await render(<KitPage />, lang, { theme })
    await userEvent.click(page.getByRole('button', { name: t.device }).nth(2))
    await expect.element(page.getByRole('menu')).toBeVisible()
    expect(await faultsOf()).toEqual([])
  })
})

it('fits a phone without scrolling sideways', async () => {
  await page.viewport(320, 800)
  await render(<KitPage />, 'en', { layout: 'narrow' })
  expect(document.documentElement.scrollWidth).toBe(320)
  await page.viewport(1280, 800)
})
