import { useState } from 'react'
import { flushSync } from 'react-dom'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render, tap } from '../../../test-support/render.tsx'
import { keepPresses } from './kept-press.ts'

keepPresses()

const bannerPx = 120

/** A list below a banner that goes in the moment in which one of its entries is pressed. */
function ListBelowBanner() {
  const [isOffered, setOffered] = useState(true)
  const [opened, setOpened] = useState('')
  return (
    <>
      {isOffered && <p style={{ height: bannerPx }}>An offer</p>}
      <ul onPointerDown={() => flushSync(() => setOffered(false))}>
        {['Press', 'Saw', 'Oven'].map((name) => (
          <li key={name} style={{ height: bannerPx }}>
            <button type="button" onClick={() => setOpened(name)}>
              <b>{name}</b>
            </button>
          </li>
        ))}
      </ul>
      <output>{opened}</output>
    </>
  )
}

for (const [by, click] of [
  ['a mouse', () => userEvent.click(page.getByText('Press'))],
  ['a finger', () => tap('li:first-child button')],
] as const)
  it(`a click by ${by} reaches what was pressed, although a banner above goes before the release`, async () => {
    await render(<ListBelowBanner />)
    await click()
    await expect.element(page.getByRole('status')).toHaveTextContent('Press')
    await expect.element(page.getByText('An offer')).not.toBeInTheDocument()
  })
