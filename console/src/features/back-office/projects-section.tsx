import { type Lang, projects } from '@busbar/contract'
import type { ReactNode } from 'react'
import { useProjectsText } from '../../entities/project/projects-text.ts'
import { stateTones } from '../../entities/project/state-tones.ts'
import { operatorProjectsText as cn } from '../../shared/i18n/cn/operator-projects.ts'
import { operatorProjectsText as en } from '../../shared/i18n/en/operator-projects.ts'
import { emptyMark, formatNumber, useLang } from '../../shared/i18n/index.ts'
import { formatLasts } from '../../shared/i18n/time-span.ts'
import { calls } from '../../shared/resource/acts.tsx'
import { OperatorList, operatorPages } from './operator-list.tsx'
import { useOperatorText } from './operator-text.ts'
import { ReportingServersList } from './reporting-servers-list.tsx'

type Row = projects.OperatorProject

const texts: Readonly<Record<Lang, typeof cn>> = { cn, en }

/** Every project, with how far it is behind. An operator stops one that harms others. */
export function ProjectsSection(): ReactNode {
  const all = useOperatorText()
  const t = texts[useLang()]
  const { states } = useProjectsText()
  const setStopped = (stopped: boolean) => ({
    ...calls(projects.stopProject, ({ id }: Row) => ({ id, stopped })),
    fits: (row: Row) => row.stopped !== stopped,
    done: all.done,
  })
  return (
    <>
      <OperatorList
        id="operator.projects"
        title={all.parts.projects}
        lead={t.lead}
        rows={operatorPages(projects.listAllProjects, {})}
        rowKey="id"
        titles={t.columns}
        columns={{
          name: {
            kind: 'name',
            value: 'name',
            minor: ({ enterprise, owner }) => [enterprise, owner].filter(Boolean).join(' · '),
            grow: 2,
          },
          state: { kind: 'state', value: 'state', words: states, tones: stateTones, rank: 2, card: 'plain' },
          lag: {
            kind: 'text',
            value: ({ lagMs, lagRows }) => {
              if (lagMs === null) return emptyMark
              return lagRows ? t.lag(formatNumber(lagRows), formatLasts(lagMs)) : t.inTime
            },
            rank: 3,
          },
          quota: {
            kind: 'text',
            value: ({ rows, rowsMax }) => t.quota(formatNumber(rows), formatNumber(rowsMax)),
            width: 170,
            rank: 4,
          },
          machines: { kind: 'count', value: 'machines', width: 80, rank: 5 },
        }}
        search={t.search}
        isRefreshed
        acts={[
          {
            ...setStopped(true),
            label: t.stop,
            asks: {
              title: ({ name }) => t.confirmStop(name),
              many: (count) => all.bulk(t.stop, count),
              body: t.confirmStopBody,
            },
          },
          {
            ...setStopped(false),
            label: t.resume,
            danger: false,
            asks: {
              title: ({ name }) => t.confirmResume(name),
              many: (count) => all.bulk(t.resume, count),
              body: t.confirmResumeBody,
            },
          },
        ]}
        empty={{ icon: 'transfer', title: t.empty }}
      />
      <ReportingServersList />
    </>
  )
}
