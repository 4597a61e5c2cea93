import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '../../../../test-support/render.tsx'
import { en } from '../../i18n/en/index.ts'
import { DatePicker } from './date-picker.tsx'
import { DateRangePicker, DayRangePicker } from './date-range-picker.tsx'
import type { TimeSpan } from './presets.ts'

const hourMs = 3_600_000
const at = Date.parse('2026-11-22T06:35:00Z')
const shanghai = { zone: 'Asia/Shanghai', label: 'My time' }
const newYork = { zone: 'America/New_York', label: 'Device time' }
const part = (name: string) => page.getByRole('spinbutton', { name: new RegExp(`^${name}`) })
const shown = () =>
  page
    .getByRole('spinbutton')
    .elements()
    .map((each) => each.textContent)
    .join(' ')

function Moment({ onChange }: { onChange: (at: number | null) => void }) {
  const [value, setValue] = useState<number | null>(at)
  return (
    <DatePicker
      label="Ends at"
      value={value}
      zones={[shanghai, newYork]}
      onChange={(next) => {
        setValue(next)
        onChange(next)
      }}
    />
  )
}

it('writes a moment in the given zone and year first, whatever the browser’s language', async () => {
  expect(navigator.language).toBe('de-DE')
  await render(<Moment onChange={() => {}} />)
  expect(shown()).toBe('2026 11 22 14 35')
  await expect.element(part('hour')).toHaveAccessibleName(/Ends at/)
})

it('speaks Chinese to a screen reader where the page does', async () => {
  await render(<Moment onChange={() => {}} />, 'cn')
  await expect.element(page.getByRole('spinbutton', { name: /^年/ })).toBeVisible()
  await expect.element(page.getByRole('button', { name: /日历/ })).toBeVisible()
})

it('hands a typed moment on when the field is left, not while a year begins with its first digit', async () => {
  const onChange = vi.fn()
  await render(
    <>
      <Moment onChange={onChange} />
      <button type="button">next</button>
    </>,
  )
  await userEvent.click(part('year'))
  await userEvent.keyboard('2027')
  expect(onChange).not.toHaveBeenCalled()
  await userEvent.click(page.getByRole('button', { name: 'next' }))
  expect(onChange).toHaveBeenCalledExactlyOnceWith(Date.parse('2027-11-22T06:35:00Z'))
})

it('takes Enter as the end of typing', async () => {
  const onChange = vi.fn()
  await render(<Moment onChange={onChange} />)
  await userEvent.click(part('minute'))
  await userEvent.keyboard('{ArrowUp}{Enter}')
  expect(onChange).toHaveBeenCalledExactlyOnceWith(at + 60_000)
})

it('chooses a day in the calendar by keyboard, and keeps its time', async () => {
  const onChange = vi.fn()
  await render(<Moment onChange={onChange} />)
  await userEvent.click(page.getByRole('button', { name: /Calendar/ }))
  await expect.element(page.getByRole('grid')).toBeVisible()
  await userEvent.keyboard('{ArrowRight}{Enter}{Escape}')
  await expect.element(page.getByRole('grid')).not.toBeInTheDocument()
  expect(onChange).toHaveBeenCalledExactlyOnceWith(at + 24 * hourMs)
})

it('stays open for the time after a day is chosen', async () => {
  const onChange = vi.fn()
  await render(<Moment onChange={onChange} />)
  await userEvent.click(page.getByRole('button', { name: /Calendar/ }))
  await userEvent.click(page.getByRole('button', { name: /November 23/ }))
  await expect.element(page.getByRole('grid')).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Done' }))
  await expect.element(page.getByRole('grid')).not.toBeInTheDocument()
  expect(onChange).toHaveBeenCalledExactlyOnceWith(at + 24 * hourMs)
})

it('takes a day chosen in an empty field without a time', async () => {
  const onChange = vi.fn()
  await render(<DatePicker label="Ends at" value={null} onChange={onChange} />)
  await userEvent.click(page.getByRole('button', { name: /Calendar/ }))
  await userEvent.keyboard('{Enter}')
  await userEvent.click(page.getByRole('button', { name: 'Done' }))
  await expect.poll(() => onChange.mock.calls.length).toBe(1)
  expect(onChange.mock.calls[0]?.[0]).toEqual(expect.any(Number))
})

it('shows the same moment by the clocks of the machine', async () => {
  await render(<Moment onChange={() => {}} />)
  await userEvent.click(page.getByRole('button', { name: /Calendar/ }))
  await expect.element(page.getByText('Asia/Shanghai (UTC+8)')).toBeVisible()
  await userEvent.click(page.getByRole('radio', { name: 'Device time' }))
  await expect.element(page.getByText('America/New_York (UTC\u22125)')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('grid')).not.toBeInTheDocument()
  expect(shown()).toBe('2026 11 22 01 35')
})

function Range({ onChange }: { onChange: (span: TimeSpan) => void }) {
  const [value, setValue] = useState<TimeSpan>({ from: at - hourMs, to: at })
  return (
    <DateRangePicker
      label="Range"
      value={value}
      zones={[shanghai]}
      presets={[{ label: 'Last hour', spanAt: () => ({ from: 0, to: hourMs }) }]}
      onChange={(next) => {
        setValue(next)
        onChange(next)
      }}
    />
  )
}

it('chooses a span by its name, and closes', async () => {
  const onChange = vi.fn()
  await render(<Range onChange={onChange} />)
  await userEvent.click(page.getByRole('button', { name: /Calendar/ }))
  await userEvent.click(page.getByRole('button', { name: 'Last hour' }))
  expect(onChange).toHaveBeenCalledExactlyOnceWith({ from: 0, to: hourMs })
  await expect.element(page.getByRole('grid')).not.toBeInTheDocument()
})

it('hands no span on that ends before it begins, and says so', async () => {
  const onChange = vi.fn()
  await render(<Range onChange={onChange} />)
  await userEvent.click(page.getByRole('spinbutton', { name: /year.*[Ss]tart/ }))
  await userEvent.keyboard('2028{Enter}')
  expect(onChange).not.toHaveBeenCalled()
  await expect.element(page.getByText(en.kit.date.order)).toBeVisible()
})

it('chooses days without a time', async () => {
  const onChange = vi.fn()
  await render(
    <DayRangePicker label="Days" value={{ from: '2026-11-16', to: '2026-11-22' }} onChange={onChange} />,
  )
  expect(shown()).toBe('2026 11 16 2026 11 22')
  await userEvent.click(page.getByRole('spinbutton', { name: /^day.*[Ss]tart/ }))
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(onChange).toHaveBeenCalledExactlyOnceWith({ from: '2026-11-15', to: '2026-11-22' })
})
