import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../../test-support/render.tsx'
import { machines } from '../../../shared/i18n/en/machines.ts'
import { MachineDetailPane } from './machine-detail-pane.tsx'

const nothing = () => undefined
const pane = (isComing: boolean) => (
  <MachineDetailPane
    {...{ machine: undefined, isComing, tab: undefined }}
    {...{ onTab: nothing, onClose: nothing, onPrevious: undefined, onNext: undefined }}
  />
)

it('does not say of a device that was just added that it may have been removed', async () => {
  const { gone } = machines.pane
  await render(pane(true))
  expect(page.getByText(gone).elements()).toEqual([])
  await render(pane(false))
  await expect.element(page.getByText(gone)).toBeVisible()
})
