import { destinations } from '@busbar/contract'
import type { ReactNode } from 'react'
import { projectDestinationsQuery, projectKey } from '../../../entities/project/project-queries.ts'
import { formatNumber, formatShortClock } from '../../../shared/i18n/index.ts'
import { formatLasts } from '../../../shared/i18n/time-span.ts'
import { type Act, calls } from '../../../shared/resource/acts.tsx'
import { List } from '../../../shared/resource/list.tsx'
import { whole } from '../../../shared/resource/rows.ts'
import { lazyPart } from '../../../shared/ui/lazy-part.tsx'
import type { PartProps } from '../detail/part-props.ts'
import { ChangeSecretDialog } from './change-secret-dialog.tsx'
import { DestinationDialog } from './destination-dialog.tsx'
import { type DestinationRow, explainLook, lookTones, withLook } from './destination-look.ts'
import { settingsOf, valuesOf } from './destination-settings.ts'
import { useDestinationsText } from './destinations-text.ts'
import type { ReplayDialogProps } from './replay-dialog.tsx'
import { TestDialog } from './test-dialog.tsx'

/** Brings the calendar, which the list does not wait for. */
const ReplayDialog = lazyPart<ReplayDialogProps>(
  () => import('./replay-dialog.tsx').then((module) => module.ReplayDialog),
  'dialog',
)

/** The systems that a project’s rows are delivered to. */
export function DestinationsPart({ project }: PartProps): ReactNode {
  const t = useDestinationsText()
  const { id } = project
  const isOwner = project.isOwner
  const edit = (close: () => void, row?: DestinationRow) => (
    <DestinationDialog projectId={id} destination={row} onClose={close} />
  )
  const turn = (state: 'on' | 'off') =>
    calls(destinations.updateDestination, (row: DestinationRow) => ({
      id: row.targetId,
      ...settingsOf(valuesOf(row)),
      state,
    }))
  const acts: Act<DestinationRow>[] = [
    { label: t.test, opens: (close, row) => <TestDialog destination={row} onClose={close} /> },
    { label: t.edit, icon: 'edit', place: 'menu', opens: edit },
    {
      label: t.reset,
      icon: 'key',
      place: 'menu',
      fits: ({ type }) => type === 'webhook',
      opens: (close, row) => <ChangeSecretDialog projectId={id} destination={row} onClose={close} />,
    },
    {
      label: t.replay,
      icon: 'history',
      place: 'menu',
      opens: (close, row) => <ReplayDialog projectId={id} destination={row} onClose={close} />,
    },
    {
      ...turn('on'),
      label: t.turnOn,
      place: 'menu',
      fits: ({ state }) => state !== 'on',
      done: ({ name }) => t.turnedOn(name),
    },
    {
      ...turn('off'),
      label: t.turnOff,
      place: 'menu',
      danger: false,
      fits: ({ state }) => state === 'on',
      asks: { title: ({ name }) => t.turnOffTitle(name), body: t.turnOffBody },
      done: ({ name }) => t.turnedOff(name),
    },
    {
      ...calls(destinations.deleteDestination, ({ targetId }: DestinationRow) => ({ id: targetId })),
      label: t.remove,
      icon: 'trash',
      place: 'menu',
      asks: { title: ({ name }) => t.removeTitle(name), body: t.removeBody },
      done: ({ name }) => t.removed(name),
    },
  ]
  return (
    <List
      id="project.destinations"
      title={t.title}
      lead={t.lead}
      rows={whole(projectDestinationsQuery(id), rowsOf)}
      rowKey="targetId"
      titles={t.columns}
      columns={{
        name: { kind: 'name', value: 'name', minor: ({ url }) => new URL(url).host, width: 240, grow: 2 },
        state: {
          kind: 'state',
          value: 'look',
          words: t.looks,
          tones: lookTones,
          minor: (row) => explainLook(row, t),
          width: 200,
          grow: 2,
          card: 'plain',
        },
        lag: {
          kind: 'text',
          value: ({ lagRows, lagMs }) =>
            lagRows === 0 ? t.inTime : t.lagRows(formatNumber(lagRows), formatLasts(lagMs)),
          minor: ({ gaps }) => (gaps > 0 ? t.gaps(gaps) : undefined),
          width: 130,
          rank: 3,
        },
        lastOk: {
          kind: 'time',
          value: 'lastOkAt',
          as: 'ago',
          none: t.never,
          minor: ({ nextTryAt }) => nextTryAt !== null && t.nextTry(formatShortClock(nextTryAt)),
          width: 130,
          rank: 4,
        },
        type: {
          kind: 'text',
          value: ({ type, mqtt }) => (mqtt ? `MQTT ${mqtt.version}` : t.types[type]),
          minor: ({ format }) => t.formats[format],
          width: 130,
          rank: 5,
        },
      }}
      search={t.search}
      searched={({ name, url }: DestinationRow) => [name, url]}
      {...(isOwner && { opens: edit })}
      touched={[projectKey(id)]}
      add={isOwner && { label: t.add, opens: (close) => edit(close) }}
      acts={isOwner ? acts : []}
      isSelectable={false}
      empty={{ icon: 'transfer', title: t.empty, hint: t.emptyHint }}
    />
  )
}

const rowsOf = (found: destinations.Destination[]): DestinationRow[] => found.map(withLook)
