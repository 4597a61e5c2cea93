import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '../../../test-support/render.tsx'
import { agentConfig as en } from '../../shared/i18n/en/agent-config.ts'
import type { Tag } from './draft.ts'
import { TagTable } from './tag-table.tsx'

const power = { name: 'power', address: 'holding:40083', type: 'int16' }
let edited: readonly Tag[]

function Table() {
  const [tags, setTags] = useState<readonly Tag[]>([power])
  edited = tags
  return (
    <TagTable tags={tags} group="" place="address" hasFactorRegisters isLocked={false} onChange={setTags} />
  )
}

it('a variable gets its factor, and the register in which the device tells it', async () => {
  const t = en.tags
  await render(<Table />)
  await userEvent.click(page.getByRole('button', { name: `${t.factorOf('power')}: 1` }))
  const factor = page.getByRole('spinbutton', { name: t.factor })
  await userEvent.fill(factor, '0')
  await expect.element(page.getByText(t.factorNone)).toBeVisible()
  expect(edited).toEqual([power])
  await userEvent.fill(factor, '0.01')
  expect(edited).toEqual([{ ...power, factor: 0.01 }])
  await userEvent.fill(factor, '1')

  const register = page.getByRole('textbox', { name: t.factorAddress })
  await userEvent.fill(register, 'holding:40084')
  await userEvent.click(page.getByRole('button', { name: new RegExp(`^${t.factorForm}`) }))
  await userEvent.click(page.getByRole('option', { name: t.factorForms.decimals }))
  expect(edited).toEqual([{ ...power, factorAddress: 'holding:40084', factorForm: 'decimals' }])
  // The agent refuses a form without a register.
  await userEvent.fill(register, '')
  expect(edited).toEqual([power])
})
