import { type KeyboardEvent, useRef } from 'react'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import { classes } from '../../../shared/ui/classes.ts'
import { openedAct } from '../machine-acts.ts'
import { useDeviceSpace } from '../space.ts'
import { useStateOptions } from './machine-toolbar.tsx'
import css from './state-chips.module.css'
import type { MachineListView } from './use-machine-list.ts'

/** Stands at the end of the groups, where a phone's own list has no room for a button. */
const manageGroups = 'manage'

/** The state filter on a phone: chips that scroll, the group at their end. */
export function StateChips({ view }: { view: MachineListView }) {
  const { machines: t, machineEdit } = useText()
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
      <div ref={group} role="radiogroup" aria-label={t.list.filter} className={css.chips} onKeyDown={move}>
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
            {count !== undefined && <span className={css.count}>{formatNumber(count)}</span>}
          </button>
        ))}
      </div>
      {(view.groups.length > 0 || (isOwn && view.all.length > 0)) && (
        <select
          className={classes(css.chip, css.select, view.groupId !== null && css.chosen)}
          aria-label={t.list.group}
          value={view.groupId ?? ''}
          onChange={({ target }) => {
            if (target.value === manageGroups) openedAct.set({ kind: 'manageGroups' })
            else view.setGroupId(target.value ? Number(target.value) : null)
          }}
        >
          <option value="">{t.list.allGroups}</option>
          {view.groups.map((group) => (
            <option key={group.id} value={group.id}>
              {group.name} ({formatNumber(group.count)})
            </option>
          ))}
          {isOwn && <option value={manageGroups}>{machineEdit.groups.manage}</option>}
        </select>
      )}
    </div>
  )
}
