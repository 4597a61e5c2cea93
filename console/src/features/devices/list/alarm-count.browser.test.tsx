import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../../test-support/render.tsx'
import type { Machine } from '../../../entities/machine/machine.ts'
import { AlarmCount } from './alarm-count.tsx'

/** The inside of the list's column. */
const columnWidth = 58

it.each(['en', 'cn'] as const)(
  'shelved alarms were not in the list: they fit beside the active ones (%s)',
  async (lang) => {
    const machine = { online: true, openAlarms: 3, shelvedAlarms: 12, worstAlarm: 'major' } as Machine
    await render(
      <div data-testid="cell" style={{ width: columnWidth }}>
        <AlarmCount machine={machine} />
      </div>,
      lang,
    )
    const cell = page.getByTestId('cell')
    expect(cell.element().textContent).toContain(lang === 'cn' ? '12 条搁置' : '12 shelved')
    expect(cell.element().scrollWidth).toBeLessThanOrEqual(columnWidth)
  },
)
