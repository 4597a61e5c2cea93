import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { KitTips } from '../../../../test-support/kit/kit-feedback.tsx'
import { t } from '../../../../test-support/kit/kit-text.ts'
import { hold, moveTo, render, tap } from '../../../../test-support/render.tsx'

const button = `button:has-text("${t.tipButton}")`
const tip = page.getByText(t.tip)

it('stays while the pointer moves onto it', async () => {
  await render(<KitTips />)
  // A slow machine moves the pointer so slowly that the tip goes on the way, as it would for a slow hand: again then.
  await vi.waitFor(
    async () => {
      await moveTo('h2')
      await moveTo(button)
      await expect.element(tip).toBeVisible()
      await moveTo('[popover]:has-text("tooltip")')
      await new Promise((resolve) => setTimeout(resolve, 400))
      if (tip.query() === null) throw new Error('The tip went.')
    },
    { timeout: 40_000 },
  )
  await moveTo('h2')
  await expect.element(tip).not.toBeInTheDocument()
})

it('comes although the pointer moves on within its element before', async () => {
  await render(
    <button type="button" data-tip={t.tip}>
      <b>{t.save}</b> <i>{t.failed}</i>
    </button>,
  )
  await moveTo('button b')
  await moveTo('button i')
  await expect.element(tip).toBeVisible()
})

it('comes at the focus of an element under the pointer', async () => {
  await render(<KitTips />)
  // After a click, as of the file before on this page, the browser shows no focus that a script sets until a key is pressed.
  await userEvent.keyboard('{Escape}')
  await moveTo(button)
  ;(page.getByRole('button', { name: t.tipButton }).element() as HTMLElement).focus()
  await expect.element(tip).toBeVisible()
})

it('goes at Escape', async () => {
  await render(<KitTips />)
  // Under a resting pointer a slow page shows it again.
  await moveTo('h2')
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('button', { name: t.tipButton })).toHaveFocus()
  await expect.element(tip).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(tip).not.toBeInTheDocument()
})

it('leaves a tap to its button while the page is too busy to notice that the finger went up', async () => {
  const busyUntil = (at: number) => {
    while (performance.now() < at);
  }
  const pressed = vi.fn()
  await render(
    <button
      type="button"
      data-tip={t.tip}
      onPointerDown={() => busyUntil(performance.now() + 700)}
      onClick={pressed}
    >
      {t.save}
    </button>,
  )
  await tap('button')
  await expect.poll(() => pressed.mock.calls.length).toBe(1)
  await expect.element(tip).not.toBeInTheDocument()
})

it('comes at a long press and stays until the next touch', async () => {
  await render(<KitTips />)
  await tap(button)
  await expect.element(tip).not.toBeInTheDocument()
  await hold(button, 700)
  await expect.element(tip).toBeVisible()
  await tap('h2')
  await expect.element(tip).not.toBeInTheDocument()
})
