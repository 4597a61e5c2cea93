import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { KitNumbers } from '../../../../test-support/kit/kit-dates.tsx'
import { t } from '../../../../test-support/kit/kit-text.ts'
import { render, tap } from '../../../../test-support/render.tsx'

const field = page.getByRole('spinbutton', { name: t.setPoint })

it('typing after a step replaces the number instead of appending digits to it', async () => {
  await render(<KitNumbers />)
  await userEvent.click(field)
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(field).toHaveValue('62.5')
  await userEvent.keyboard('99')
  await expect.element(field).toHaveValue('99')
})

it('refuses a decimal more than the tag has, and says so', async () => {
  await render(<KitNumbers />)
  await userEvent.tripleClick(field)
  await userEvent.keyboard('62.39')
  await expect.element(field).toHaveValue('62.3')
  await expect.element(field).toHaveAccessibleDescription('At most 1 decimal')
})

it('tells a screen reader its number with the unit and its limits', async () => {
  await render(<KitNumbers />)
  await expect.element(field).toHaveAttribute('aria-valuetext', '62.0 °C')
  await expect.element(field).toHaveAttribute('aria-valuemax', '180')
})

it('steps once for a touch of its button', async () => {
  await render(<KitNumbers />)
  await tap(`button[aria-label="Increase ${t.setPoint}"]`)
  await expect.element(field).toHaveValue('62.5')
})
