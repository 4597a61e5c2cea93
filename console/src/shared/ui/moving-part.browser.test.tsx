import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '../../../test-support/render.tsx'
import { Dialog } from './dialog.tsx'
import { useMovingPart } from './moving-part.tsx'

const close = () => undefined

function Frames() {
  const [isNarrow, setNarrow] = useState(false)
  const { place, part } = useMovingPart(
    <Dialog title="Rule" onClose={close}>
      <label>
        Limit <input />
      </label>
      <button type="button" onClick={() => setNarrow(!isNarrow)}>
        Cross
      </button>
    </Dialog>,
  )
  return (
    <>
      {isNarrow ? <section key="narrow">{place}</section> : <article key="wide">{place}</article>}
      {part}
    </>
  )
}

const limit = page.getByRole('textbox', { name: 'Limit' })
const isModal = () => document.querySelector('section dialog, article dialog')?.matches(':modal')

it('keeps an open dialog and its entries when the frame is replaced', async () => {
  await render(<Frames />)
  await userEvent.fill(limit, '82.5')
  await userEvent.click(page.getByRole('button', { name: 'Cross' }))
  await expect.poll(() => document.querySelector('section dialog')).toBeTruthy()
  await expect.element(limit).toHaveValue('82.5')
  expect(isModal()).toBe(true)
  await userEvent.click(page.getByRole('button', { name: 'Cross' }))
  await expect.poll(() => document.querySelector('article dialog')).toBeTruthy()
  await expect.element(limit).toHaveValue('82.5')
})

it('keeps them in a browser that cannot move an element with its state', async () => {
  const { moveBefore } = Element.prototype
  Reflect.deleteProperty(Element.prototype, 'moveBefore')
  try {
    await render(<Frames />)
    await userEvent.fill(limit, '82.5')
    await userEvent.click(page.getByRole('button', { name: 'Cross' }))
    await expect.poll(isModal).toBe(true)
    await expect.element(limit).toHaveValue('82.5')
  } finally {
    Element.prototype.moveBefore = moveBefore
  }
})
