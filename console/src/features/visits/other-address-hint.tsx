import type { LiveVisit } from '../../entities/visit/visit-state.ts'
import { useText } from '../../shared/i18n/index.ts'
import { IconButton } from '../../shared/ui/button.tsx'
import { Popover } from '../../shared/ui/popover/popover.tsx'
import css from './visit-bar.module.css'

/** The agent's own page has one address only. */
const agentsPage = 'page'
const lineOfFile = '- { name: port8080, url: "http://192.168.0.20:8080" }'

/**
 * Why a part of a device's page may not load, and the line of the agent's file that helps: bodies pass untouched, with the
 * device's own addresses in them (rules/visits.md: addresses of the plant).
 */
export function OtherAddressHint({ visit }: { visit: Pick<LiveVisit, 'kind' | 'target' | 'machineName'> }) {
  const t = useText().visits.bar.otherAddress
  if (visit.kind !== 'page' || visit.target === agentsPage) return null
  const label = t.label(visit.machineName)
  return (
    <Popover
      label={label}
      placement="top end"
      className={css.hint}
      trigger={<IconButton icon="info" size="small" label={label} />}
    >
      <p>{t.text}</p>
      <code className="mono">{lineOfFile}</code>
    </Popover>
  )
}
