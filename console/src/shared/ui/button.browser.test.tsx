import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '../../../test-support/render.tsx'
import { Button } from './button.tsx'

const button = page.getByRole('button', { name: 'Save' })

/** A form whose button is busy from the first time it is sent on. */
function Saving() {
  const [sent, setSent] = useState(0)
  const [pressed, setPressed] = useState(0)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        setSent(sent + 1)
      }}
    >
      <input aria-label="Name" />
      <Button type="submit" busy={sent > 0} onClick={() => setPressed(pressed + 1)}>
        Save
      </Button>
      <output>
        {pressed} pressed, {sent} sent
      </output>
    </form>
  )
}

it('keeps the focus on a busy button, says that it is busy, and ignores presses', async () => {
  await render(<Saving />)
  await userEvent.click(button)
  await expect.element(button).toHaveAttribute('aria-busy', 'true')
  await expect.element(button).toHaveAttribute('aria-disabled', 'true')
  await expect.element(button).toHaveFocus()
  await userEvent.keyboard('{Enter} ')
  await userEvent.click(button, { force: true })
  await expect.element(page.getByRole('status')).toHaveTextContent('1 pressed, 1 sent')
})

it('sends nothing by Enter in a field while the button is busy', async () => {
  await render(<Saving />)
  await userEvent.click(page.getByRole('textbox'))
  await userEvent.keyboard('{Enter}{Enter}')
  await expect.element(page.getByRole('status')).toHaveTextContent('1 pressed, 1 sent')
})
