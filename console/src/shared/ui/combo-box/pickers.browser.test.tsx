import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { KitComboBoxes, KitSelects } from '../../../../test-support/kit/kit-pickers.tsx'
import { t } from '../../../../test-support/kit/kit-text.ts'
import { render, tap } from '../../../../test-support/render.tsx'
import { en } from '../../i18n/en/index.ts'
import { ComboBox } from './combo-box.tsx'

const option = (name: string | RegExp) => page.getByRole('dialog').getByRole('option', { name })
const select = page.getByRole('button', { name: new RegExp(`^${t.line}`) }).first()
const zone = page.getByRole('button', { name: new RegExp(`^${t.zone}`) })
const opened = page.getByRole('dialog')
const variables = page.getByRole('button', { name: new RegExp(`^${t.variables}`) })

it('a select opens by Down, marks the choice, and takes another by Enter', async () => {
  await render(<KitSelects />)
  ;(select.element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(page.getByRole('listbox', { name: t.line })).toBeVisible()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(page.getByRole('listbox', { name: t.line })).not.toBeInTheDocument()
  await expect.element(select).toHaveFocus()
  await expect.element(select).toHaveTextContent(t.lines[1] ?? '')
})

it('a select finds a choice by its letters', async () => {
  await render(<KitSelects />)
  await userEvent.click(select)
  await userEvent.keyboard('moul{Enter}')
  await expect.element(select).toHaveTextContent(t.lines[2] ?? '')
})

it('a combo box takes with Enter what its search found first, and closes', async () => {
  await render(<KitComboBoxes />)
  await userEvent.click(zone)
  await expect.element(opened.getByRole('combobox')).toHaveFocus()
  await userEvent.keyboard('tokio')
  await expect.element(option(/Asia\/Tokyo/)).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(zone).toHaveTextContent('Asia/Tokyo')
  await expect.element(zone).toHaveFocus()
})

it('says that nothing matches', async () => {
  await render(<KitComboBoxes />)
  await userEvent.click(zone)
  await userEvent.keyboard('qqqqqq')
  await expect.element(page.getByText(en.kit.none)).toBeVisible()
})

it('draws a long list as far as it is looked at, and says how many more there are', async () => {
  await render(<KitComboBoxes />)
  await userEvent.click(variables)
  const list = opened.getByRole('listbox')
  await expect.element(opened.getByText('970 more')).toBeVisible()
  expect(list.getByRole('option').elements().length).toBe(30)
  list.element().scrollTop = list.element().scrollHeight
  await expect.element(opened.getByText('940 more')).toBeVisible()
})

function Several() {
  const [chosen, choose] = useState<readonly string[]>(['a'])
  const choices = ['a', 'b', 'c'].map((value) => ({ value, label: `Line ${value}` }))
  return <ComboBox label="Lines" choices={choices} chosen={chosen} max={2} min={1} onChoose={choose} />
}

it('chooses several up to the most, and keeps the last', async () => {
  await render(<Several />)
  await userEvent.click(page.getByRole('button', { name: /^Lines/ }))
  const isFixed = (name: string) => expect.element(option(name)).toHaveAttribute('aria-disabled', 'true')
  await isFixed('Line a')
  await userEvent.click(option('Line b'))
  await isFixed('Line c')
  await userEvent.click(option('Line a'))
  await isFixed('Line b')
  await expect.element(option('Line b')).toHaveAttribute('aria-selected', 'true')
})

it('draws an empty box before items that are not chosen, and a full one before chosen ones', async () => {
  await render(<Several />)
  await userEvent.click(page.getByRole('button', { name: /^Lines/ }))
  const boxOf = (name: string) => getComputedStyle(option(name).element().lastElementChild as Element)
  await expect.element(option('Line b')).toHaveAttribute('aria-selected', 'false')
  expect(boxOf('Line b').borderTopWidth).toBe('1px')
  expect(boxOf('Line b').backgroundColor).not.toBe(boxOf('Line a').backgroundColor)
})

it('opens and chooses by touch', async () => {
  await render(<KitSelects />)
  await tap(`[aria-haspopup="listbox"] >> nth=0`)
  await expect.element(page.getByRole('listbox', { name: t.line })).toBeVisible()
  await tap(`[role="option"]:has-text("${t.lines[2]}")`)
  await expect.element(select).toHaveTextContent(t.lines[2] ?? '')
})
