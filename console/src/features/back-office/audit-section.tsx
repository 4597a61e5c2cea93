import { type AnswerOf, operator } from '@busbar/contract'
import type { ReactNode } from 'react'
import { emptyMark, formatExact, useText } from '../../shared/i18n/index.ts'
import type { Fixed } from '../../shared/resource/rows.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { DetailDialog } from './detail-dialog.tsx'
import { OperatorList, operatorPages } from './operator-list.tsx'
import { useOperatorText } from './operator-text.ts'

type AuditRow = AnswerOf<typeof operator.listAudit>['list'][number]

interface AuditSectionProps {
  /** The list's own name, if it is not the whole log. */
  id?: string
  /** The person or thing that the entries are about. */
  about?: Pick<Fixed<typeof operator.listAudit>, 'aboutUserId' | 'aboutMachineId' | 'aboutEid'>
}

/** Every audited act, or those about one subject, newest first; entries are never changed. */
export function AuditSection({ id = 'audit', about }: AuditSectionProps): ReactNode {
  const all = useOperatorText()
  const t = all.audit
  const words = useText().account.safety.actions
  const sealOf = ({ sealed }: AuditRow) => (sealed ? t.sealed : t.open)
  const actorOf = ({ actor }: AuditRow) => actor || t.stranger
  return (
    <OperatorList
      id={`operator.${id}`}
      title={all.parts.audit}
      isTitleHidden={about !== undefined}
      lead={about ? undefined : t.lead}
      rows={operatorPages(operator.listAudit, about ?? {}, { countedMax: operator.rowsCountedMax })}
      rowKey="id"
      titles={t.columns}
      columns={{
        at: { kind: 'time', value: 'at', order: 'at', between: ['from', 'to'], rank: 1, card: 'plain' },
        actor: { kind: 'text', value: actorOf, width: 120, rank: 2 },
        action: {
          kind: 'text',
          value: ({ action }) => words[action] ?? action,
          minor: ({ action }) => words[action] !== undefined && action,
          csv: ({ action }) => action,
          grow: 1.2,
          rank: 0,
          card: 'name',
        },
        target: {
          kind: 'text',
          value: ({ target, targetName }) => targetName || target,
          minor: ({ target, targetName }) => targetName && target,
          csv: ({ target, targetName }) => `${targetName} ${target}`.trim(),
          grow: 1.2,
          rank: 4,
          card: 'plain',
        },
        from: {
          kind: 'text',
          value: 'ip',
          minor: ({ terminal }) => terminal,
          cell: ({ ip }) => <span className="mono">{ip}</span>,
          csv: ({ ip, terminal }) => `${ip} ${terminal}`.trim(),
          rank: 5,
          card: 'plain',
        },
        // Only what was refused has a colour: nearly every row is fine.
        result: { kind: 'state', value: 'result', words: t, tones: { refused: 'warn' }, rank: 3 },
        sealed: {
          kind: 'text',
          value: sealOf,
          cell: (row) => (
            <span data-tip={sealOf(row)}>
              <Icon name={row.sealed ? 'lock' : 'clock'} size={14} />
              <span className="sr-only">{sealOf(row)}</span>
            </span>
          ),
          width: 80,
          grow: 0,
          rank: 6,
        },
      }}
      filters={{ result: { title: t.columns.result, choices: t.filters } }}
      search={t.search}
      isRefreshed
      opens={(close, row) => (
        <DetailDialog
          title={words[row.action] ?? row.action}
          facts={[
            [t.columns.at, formatExact(row.at)],
            [t.columns.actor, actorOf(row)],
            [
              t.columns.action,
              <span key="action" className="mono">
                {row.action}
              </span>,
            ],
            [t.columns.target, [row.targetName, row.target].filter(Boolean).join(' · ') || emptyMark],
            [t.columns.from, [row.ip, row.terminal].filter(Boolean).join(' · ') || emptyMark],
            [t.columns.result, t[row.result]],
            [t.columns.sealed, sealOf(row)],
          ]}
          text={Object.keys(row.detail).length > 0 ? JSON.stringify(row.detail, undefined, 1) : undefined}
          onClose={close}
        />
      )}
      empty={{ icon: 'shield', title: t.empty }}
    />
  )
}
