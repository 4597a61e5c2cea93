import { operator } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { simColumns, simFilters } from '../../entities/sim/sim-columns.tsx'
import { useSimsText } from '../../entities/sim/sims-text.ts'
import { calls } from '../../shared/resource/acts.tsx'
import { Row, Text } from '../../shared/ui/layout/layout.tsx'
import { OperatorList, operatorPages } from './operator-list.tsx'
import { useOperatorText } from './operator-text.ts'
import { SimForm } from './sim-form.tsx'
import { SimImportDialog } from './sim-import-dialog.tsx'
import { everySimPlanQuery } from './sim-queries.ts'
import { useOperatorSimsText } from './sims-text.ts'

type Card = operator.OperatorCard

/** Every SIM card, and the way to import more. */
export function SimsSection(): ReactNode {
  const all = useOperatorText()
  const { cards: t, importing } = useOperatorSimsText()
  const words = useSimsText()
  const { data: plans = [] } = useQuery(everySimPlanQuery)
  const columns = useMemo(() => {
    const { machine, iccid, ...others } = simColumns(words)
    return {
      iccid: { ...iccid, kind: 'name', isHiddenFirst: false, card: 'name', rank: 0 },
      machine: {
        ...machine,
        kind: 'text',
        cell: ({ machineName, machineCode, toldIccid }: Card) => (
          <Row gap={6} shrinks>
            <Text cut>{machineName || machineCode || <Text tone="quiet">{t.noDevice}</Text>}</Text>
            {toldIccid !== null && machine.tags({ toldIccid })}
          </Row>
        ),
      },
      ...others,
    } as const
  }, [words, t])
  const { title, ...only } = t.filters
  const form = (close: () => void, row: Card) => <SimForm row={row} onClose={close} />
  return (
    <OperatorList
      id="operator.sims"
      title={all.parts.sims}
      lead={t.lead}
      rows={operatorPages(operator.listAllCards, {})}
      rowKey="id"
      rowName={({ iccid }) => iccid}
      columns={columns}
      filters={{
        only: { title, choices: only, isInPanel: true },
        ...simFilters(
          words,
          plans.map(({ id: planId, name }) => ({ planId, name })),
          [...new Set(plans.map(({ carrier }) => carrier))],
        ),
      }}
      search={t.search}
      isRefreshed
      opens={form}
      add={{ label: importing.add, opens: (close) => <SimImportDialog onClose={close} /> }}
      acts={[
        { label: t.edit, opens: form },
        {
          ...calls(operator.deleteCard, ({ id }: Card) => ({ id })),
          label: t.remove,
          asks: {
            title: ({ iccid }) => t.confirmRemove(iccid),
            many: (count) => all.bulk(t.remove, count),
            body: t.confirmRemoveBody,
          },
          done: all.done,
        },
      ]}
      empty={{ icon: 'cards', title: t.empty, hint: t.emptyHint }}
    />
  )
}
