import { destinations } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import {
  projectDestinationsQuery,
  projectKey,
  projectRefreshMs,
} from '../../../entities/project/project-queries.ts'
import { emptyMark, formatBytes, formatNumber } from '../../../shared/i18n/index.ts'
import { formatLasts } from '../../../shared/i18n/time-span.ts'
import { calls } from '../../../shared/resource/acts.tsx'
import { List } from '../../../shared/resource/list.tsx'
import { pages } from '../../../shared/resource/rows.ts'
import { Select } from '../../../shared/ui/select/select.tsx'
import type { TagTone } from '../../../shared/ui/tag.tsx'
import { explainFault } from '../destinations/destination-look.ts'
import { useDestinationsText } from '../destinations/destinations-text.ts'
import type { PartProps } from '../detail/part-props.ts'
import { useDeliveriesText } from './deliveries-text.ts'
import { DeliveryDialog } from './delivery-dialog.tsx'

type Delivery = destinations.Delivery

const tones: Readonly<Record<destinations.DeliveryState, TagTone>> = {
  ok: 'good',
  failed: 'warn',
  dead: 'bad',
  resent: 'plain',
}

const isDead = ({ status }: Delivery) => status === 'dead'

/** The requests that were sent to a project’s destinations, the newest first. */
export function DeliveriesPart({ project }: PartProps): ReactNode {
  const t = useDeliveriesText()
  const ofDestinations = useDestinationsText()
  const { id } = project
  const { data: targets = [] } = useQuery(projectDestinationsQuery(id))
  const [targetId, setTarget] = useState<number>()
  const rows = useMemo(() => {
    const of = targetId === undefined ? {} : { targetId }
    return pages(
      destinations.listDeliveries,
      { id, ...of },
      { under: projectKey(id), refreshMs: projectRefreshMs },
    )
  }, [id, targetId])
  const isOwner = project.isOwner
  return (
    <List
      id="project.deliveries"
      title={t.title}
      lead={t.lead}
      rows={rows}
      rowKey="id"
      rowName={({ target }) => target}
      titles={t.columns}
      columns={{
        target: { kind: 'name', value: 'target', width: 150, grow: 1 },
        at: { kind: 'time', value: 'at', rank: 1, card: 'plain' },
        status: {
          kind: 'state',
          value: 'status',
          words: t.states,
          tones,
          minor: ({ error, httpStatus }) => error && explainFault(error, httpStatus, ofDestinations),
          width: 190,
          grow: 4,
          rank: 2,
          card: 'plain',
        },
        rows: {
          kind: 'count',
          value: 'rows',
          minor: ({ requests = 1 }) => requests > 1 && t.requests(formatNumber(requests)),
          width: 100,
          rank: 3,
        },
        bytes: { kind: 'text', value: ({ bytes }) => formatBytes(bytes), width: 90, rank: 5 },
        attempts: { kind: 'count', value: 'attempts', width: 90, rank: 4 },
        ms: {
          kind: 'text',
          value: ({ ms }) =>
            ms === null ? emptyMark : ms < 1_000 ? ofDestinations.ms(formatNumber(ms)) : formatLasts(ms),
          width: 90,
          rank: 6,
        },
      }}
      filters={{ state: { title: t.state, choices: t.states } }}
      controls={
        targets.length > 1 && (
          <Select
            label={t.of}
            isLabelHidden
            choices={[
              { value: '', label: t.all },
              ...targets.map((target) => ({ value: String(target.targetId), label: target.name })),
            ]}
            value={targetId === undefined ? '' : String(targetId)}
            onChange={(value) => setTarget(value === '' ? undefined : Number(value))}
          />
        )
      }
      opens={(close, row) => <DeliveryDialog delivery={row} onClose={close} />}
      touched={[projectKey(id)]}
      acts={
        isOwner
          ? [
              {
                ...calls(destinations.resendDelivery, (row: Delivery) => ({ id: row.id })),
                label: t.resend,
                of: ({ target }) => t.resendOf(target),
                fits: isDead,
                done: t.resent,
              },
            ]
          : []
      }
      isSelectable={false}
      empty={{ icon: 'list', title: t.empty, hint: t.emptyHint }}
    />
  )
}
