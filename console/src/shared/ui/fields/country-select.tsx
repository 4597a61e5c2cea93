import { type ComponentProps, type ComponentType, useId, useRef, useState } from 'react'
import { getText, useText } from '../../i18n/language.ts'
import { Icon } from '../icon.tsx'
import { placePanel } from '../place-panel.ts'
import { showToast } from '../toast/toast-store.ts'
import type { CountryList } from './country-list.tsx'
import css from './country-select.module.css'

type List = ComponentType<ComponentProps<typeof CountryList>>

/** The dial code. Its list, with every country's name, is fetched when it is opened. */
export function CountrySelect({ value, onChange }: { value: string; onChange: (code: string) => void }) {
  const t = useText().login
  const id = useId()
  const anchor = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [List, setList] = useState<List>()

  function open() {
    placePanel(panel.current, anchor.current?.closest('div')?.getBoundingClientRect())
    setOpen(true)
    loadList().then(
      (list) => setList(() => list),
      () => {
        panel.current?.hidePopover()
        showToast(getText().notices.unreachable, 'failure')
      },
    )
  }

  return (
    <span className={css.select}>
      <button
        ref={anchor}
        type="button"
        className={css.button}
        popoverTarget={id}
        aria-haspopup="dialog"
        onPointerEnter={() => void loadList().catch(() => {})}
      >
        <span className="sr-only">{t.country}</span>
        <span className="numbers">+{value}</span>
        <Icon name="chevronDown" size={12} />
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={t.country}
        className={css.panel}
        onBeforeToggle={({ newState }) => newState === 'open' && open()}
        onToggle={({ newState }) => newState === 'closed' && setOpen(false)}
      >
        {isOpen && List && (
          <List
            value={value}
            onChoose={(code) => {
              onChange(code)
              panel.current?.hidePopover()
            }}
          />
        )}
      </div>
    </span>
  )
}

const loadList = () => import('./country-list.tsx').then((module) => module.CountryList)
