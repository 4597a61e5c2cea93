import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '../../../../test-support/render.tsx'
import { Button } from '../button.tsx'
import { Popover } from './popover.tsx'

/** A panel whose button is busy from the first press on. */
function BusyPanel() {
  const [busy, setBusy] = useState(false)
  return (
    <Popover label="Visits" trigger={<button type="button">Open</button>}>
      <Button busy={busy} onClick={() => setBusy(true)}>
        Release
      </Button>
    </Popover>
  )
}

it('closes by Esc while the button pressed in it is busy', async () => {
  await render(<BusyPanel />)
  await userEvent.click(page.getByRole('button', { name: 'Open' }))
  await userEvent.click(page.getByRole('button', { name: 'Release' }))
  await expect.element(page.getByRole('button', { name: 'Release' })).toHaveAttribute('aria-busy', 'true')
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog', { name: 'Visits' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Open' })).toHaveFocus()
})

it('closes by Esc at its button before the panel has the focus', async () => {
  await render(<BusyPanel />)
  const open = page.getByRole('button', { name: 'Open' }).element() as HTMLElement
  open.focus()
  open.click()
  await expect.poll(() => open.getAttribute('aria-expanded')).toBe('true')
  open.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
  await expect.element(page.getByRole('dialog', { name: 'Visits' })).not.toBeInTheDocument()
  expect(open.getAttribute('aria-expanded')).toBe('false')
})
