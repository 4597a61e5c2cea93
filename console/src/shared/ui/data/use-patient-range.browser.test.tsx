import { useState } from 'react'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../../test-support/render.tsx'
import { usePatientRange } from './use-patient-range.ts'

const day = { from: 0, to: 1 }
const month = { from: 0, to: 30 }

/** Says the end of the range that is drawn. */
function Chart() {
  const [wanted, want] = useState(day)
  const [isComing, setComing] = useState(false)
  const { to } = usePatientRange(wanted, isComing)
  function ask() {
    want(month)
    setComing(true)
  }
  return (
    <>
      <output>{to}</output>
      <button type="button" onClick={ask}>
        Ask
      </button>
      <button type="button" onClick={() => setComing(false)}>
        Answer
      </button>
    </>
  )
}

const click = (name: string) => (page.getByRole('button', { name }).element() as HTMLElement).click()
const drawn = page.getByRole('status')

it('draws a new range with its data, if that comes soon', async () => {
  await render(<Chart />)
  click('Ask')
  await null
  expect(drawn.element().textContent).toBe('1')
  click('Answer')
  await expect.element(drawn).toHaveTextContent('30')
})

it('moves the old curves into the new range where its data takes longer', async () => {
  await render(<Chart />)
  click('Ask')
  await expect.element(drawn).toHaveTextContent('30')
})
