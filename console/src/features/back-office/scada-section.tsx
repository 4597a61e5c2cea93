import type { operator } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { formatNumber } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { useNow } from '../../shared/ui/use-now.ts'
import { Cell, NameCell, OperatorList, rowCss, Tag } from './operator-list.tsx'
import { scadaQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { ScadaDialog } from './scada-dialog.tsx'
import { useList } from './use-list.ts'

type ScadaRow = operator.ScadaRow

const template = 'minmax(180px, 1.3fr) minmax(200px, 1.2fr) minmax(180px, 1.5fr) 130px 80px'
const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Less than this is left: it should be the next thing somebody does. */
const soonMs = 4 * hourMs

/** Requests to register a SCADA computer, those that wait longest first. */
export function ScadaSection(): ReactNode {
  const all = useOperatorText()
  const t = all.scada
  const state = useList<'open' | 'answered'>('open')
  const query = useQuery(scadaQuery(state.ask))
  const [opened, setOpened] = useState<ScadaRow>()
  return (
    <>
      <OperatorList
        title={all.parts.scada}
        lead={t.lead}
        query={query}
        state={state}
        searched={t.search}
        filters={t.filters}
        columns={Object.values(t.columns)}
        template={template}
        empty={{ icon: 'desktop', title: t.empty, hint: t.emptyHint }}
        row={(row) => (
          <li key={row.id} className={rowCss.row}>
            <NameCell name={row.company} minor={`${row.ticketNo} · ${row.area}`} />
            <Cell caption={t.columns.contact} wide>
              <p>{row.email}</p>
              <p className={rowCss.minor}>{row.phone}</p>
            </Cell>
            <Cell caption={t.columns.project} wide>
              <p className="cut">{row.project}</p>
              <p className={rowCss.minor}>{t.purposes[row.purpose]}</p>
            </Cell>
            <Cell caption={t.columns.clock} wide>
              <Clock row={row} />
            </Cell>
            <div className={rowCss.actions}>
              <Button size="small" onClick={() => setOpened(row)}>
                {row.answeredAt === null ? t.answer : t.view}
                <span className="sr-only">{row.company}</span>
              </Button>
            </div>
          </li>
        )}
      />
      {opened && <ScadaDialog row={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

/** What is left of the 24 hours, or what was answered. */
function Clock({ row }: { row: ScadaRow }) {
  const t = useOperatorText().scada
  const now = useNow(minuteMs)
  if (row.answeredAt !== null)
    return <Tag tone={row.approved ? 'good' : 'plain'}>{row.approved ? t.approved : t.refused}</Tag>
  const leftMs = row.answerBy - now
  if (leftMs <= 0) return <Tag tone="bad">{t.late(formatNumber(Math.floor(-leftMs / hourMs)))}</Tag>
  const hours = Math.floor(leftMs / hourMs)
  const minutes = Math.floor((leftMs % hourMs) / minuteMs)
  return (
    <Tag tone={leftMs < soonMs ? 'warn' : 'plain'}>{t.left(formatNumber(hours), formatNumber(minutes))}</Tag>
  )
}
