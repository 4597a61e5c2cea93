import { operator } from '@busbar/contract'
import { type ReactNode, useMemo, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatExact, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { timeCell } from '../../shared/ui/data/csv.ts'
import type { Bulk } from '../../shared/ui/dialogs/bulk-dialog.tsx'
import { ExactTime, Lines, NameCell, RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { type Act, ActDialog } from './act-dialog.tsx'
import { OperatorBulk } from './operator-bulk.tsx'
import { factsSetAsideQuery } from './operator-queries.ts'
import { type OperatorText, useOperatorText } from './operator-text.ts'
import { useOperatorList } from './use-operator-list.ts'

type Fact = operator.SetAsideRow
type Words = OperatorText['jobs']['setAside']

const keyOf = ({ follower, factId }: Fact) => `${follower} ${factId}`
const nameOf = (t: Words, { kind, factId }: Fact) => `${wordOf(t.kinds, kind)} ${factId}`
const retry = ({ follower, factId }: Fact) =>
  call(operator.retryFactSetAside, { follower, factId }, { noNotice: true })

/** Facts that a durable follower finally failed with, the oldest first; each can be given to it again. */
export function SetAsideFacts(): ReactNode {
  const all = useOperatorText()
  const t = all.jobs.setAside
  const { table } = useText()
  const list = useOperatorList({ id: 'setAside', queryOf: factsSetAsideQuery })
  const [act, setAct] = useState<Act>()
  const [bulk, setBulk] = useState<Bulk<Fact>>()

  const columns = useMemo(
    (): readonly TableColumn<Fact>[] => [
      {
        id: 'fact',
        title: t.columns.fact,
        ...{ width: 190, grow: 1.6, rank: 0, pinned: 'start', card: 'name' },
        value: ({ kind }) => wordOf(t.kinds, kind),
        cell: (fact) => <NameCell name={wordOf(t.kinds, fact.kind)} minor={aboutOf(t, fact)} />,
      },
      {
        id: 'at',
        title: t.columns.at,
        ...{ width: 178, rank: 4, card: 'plain' },
        value: ({ at }) => at,
        csv: ({ at }) => timeCell(at),
        cell: ({ at }) => <ExactTime at={at} />,
      },
      { id: 'tries', title: t.columns.tries, width: 70, rank: 5, value: ({ tries }) => tries },
      {
        id: 'error',
        title: t.columns.error,
        ...{ width: 160, grow: 1.6, rank: 2, card: 'plain' },
        value: ({ error }) => error,
        cell: ({ error, setAsideAt }) => <Lines main={error} minor={t.since(formatExact(setAsideAt))} />,
      },
      actionsColumn<Fact>(table.actions, 100, (fact) => (
        <RowActions>
          <Button
            kind="ghost"
            size="small"
            onClick={() =>
              setAct({
                title: t.confirmRetry,
                body: `${wordOf(t.kinds, fact.kind)}. ${t.confirmBody}`,
                action: t.retry,
                run: () => retry(fact),
              })
            }
          >
            {t.retry}
            <span className="sr-only">{nameOf(t, fact)}</span>
          </Button>
        </RowActions>
      )),
    ],
    [t, table],
  )

  if (!list.source.rows) return null
  return (
    <>
      <DataTable
        {...list}
        title={t.title}
        lead={t.lead}
        columns={columns}
        rowKey={keyOf}
        rowName={(fact) => nameOf(t, fact)}
        hasKeys={false}
        bulk={(facts) => (
          <Button
            size="small"
            onClick={() =>
              setBulk({
                title: all.bulk(t.retry, facts.length),
                body: t.confirmBody,
                action: t.retry,
                rows: facts,
                keyOf,
                nameOf: (fact) => nameOf(t, fact),
                run: retry,
                done: all.done,
              })
            }
          >
            {t.retry}
          </Button>
        )}
        empty={{ icon: 'check', title: t.empty, hint: t.emptyHint }}
      />
      {act && <ActDialog act={act} onClose={() => setAct(undefined)} />}
      {bulk && <OperatorBulk bulk={bulk} view={list.view} onClose={() => setBulk(undefined)} />}
    </>
  )
}

/** The word for a kind or a follower; those of other versions are shown by their name. */
const wordOf = (words: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(words, name) ? (words[name] ?? name) : name

/** The follower of a fact, and the machine, user or enterprise it is about. */
function aboutOf(t: Words, { follower, machineId, userId, eid }: Fact): string {
  const subjects = [
    machineId !== null && t.machine(String(machineId)),
    userId !== null && t.user(String(userId)),
    eid !== null && t.enterprise(String(eid)),
  ]
  return [t.by(wordOf(t.followers, follower)), ...subjects.filter((subject) => subject !== false)].join(' · ')
}
