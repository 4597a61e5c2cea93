import { type KeyboardEvent, useRef } from 'react'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import { classes } from '../../../shared/ui/classes.ts'
import { Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { useDeviceSpace } from '../space.ts'
import { GroupFilter, useStateOptions } from './machine-toolbar.tsx'
import css from './state-chips.module.css'
import type { MachineListView } from './use-machine-list.ts'

/** The state filter on a phone: chips that scroll, the group at their end. */
export function StateChips({ view }: { view: MachineListView }) {
  const t = useText().machines
  const options = useStateOptions(view)
  const isOwn = useDeviceSpace().kind === 'personal'
  const chosen = view.state ?? 'all'
  const group = useRef<HTMLDivElement>(null)

  function move(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const place = options.findIndex(({ value }) => value === chosen)
    const next = (place + step + options.length) % options.length
    const option = options[next]
    if (!option) return
    view.setState(option.value === 'all' ? null : option.value)
    group.current?.querySelectorAll('button')[next]?.focus()
  }

  return (
    <div className={`${css.row} fades`}>
      <Row
        ref={group}
        gap={6}
        align="stretch"
        fixed
        role="radiogroup"
        aria-label={t.list.filter}
        onKeyDown={move}
      >
        {options.map(({ value, label, icon, count }) => (
          // biome-ignore lint/a11y/useSemanticElements: native radios cannot hold the icon, word and count in one hit area
          <button
            key={value}
            type="button"
            role="radio"
            aria-checked={value === chosen}
            tabIndex={value === chosen ? 0 : -1}
            className={css.chip}
            onClick={() => view.setState(value === 'all' ? null : value)}
          >
            {icon}
            {label}
            {count !== undefined && (
              <Text tone="quiet" size={12} numbers className={css.count}>
                {formatNumber(count)}
              </Text>
            )}
          </button>
        ))}
      </Row>
      {(view.groups.length > 0 || (isOwn && view.all.length > 0)) && (
        <GroupFilter view={view} className={classes(css.chip, css.group)} />
      )}
    </div>
  )
}
