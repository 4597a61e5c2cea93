import { operator } from '@busbar/contract'
import type { ReactNode } from 'react'
import { formatExact } from '../../shared/i18n/index.ts'
import { calls } from '../../shared/resource/acts.tsx'
import { OperatorList, operatorPages } from './operator-list.tsx'
import { jobsEveryMs } from './operator-queries.ts'
import { type OperatorText, useOperatorText } from './operator-text.ts'

type Fact = operator.SetAsideRow
type Words = OperatorText['jobs']['setAside']

/** Facts that a durable follower finally failed with, the oldest first; each can be given to it again. */
export function SetAsideFacts(): ReactNode {
  const all = useOperatorText()
  const t = all.jobs.setAside
  return (
    <OperatorList
      id="operator.setAside"
      title={t.title}
      lead={t.lead}
      rows={operatorPages(operator.listFactsSetAside, {}, { refreshMs: jobsEveryMs })}
      rowKey={({ follower, factId }) => `${follower} ${factId}`}
      rowName={({ kind, factId }) => `${wordOf(t.kinds, kind)} ${factId}`}
      titles={t.columns}
      columns={{
        fact: { kind: 'name', value: ({ kind }) => wordOf(t.kinds, kind), minor: (fact) => aboutOf(t, fact) },
        at: { kind: 'time', value: 'at', rank: 4, card: 'plain' },
        tries: { kind: 'count', value: 'tries', width: 70, rank: 5 },
        error: {
          kind: 'text',
          value: 'error',
          minor: ({ setAsideAt }) => t.since(formatExact(setAsideAt)),
          grow: 1.6,
          rank: 2,
          card: 'plain',
        },
      }}
      hasKeys={false}
      isExported={false}
      isHiddenWhile="waiting"
      acts={[
        {
          ...calls(operator.retryFactSetAside, ({ follower, factId }: Fact) => ({ follower, factId })),
          label: t.retry,
          danger: false,
          asks: {
            title: () => t.confirmRetry,
            many: (count) => all.bulk(t.retry, count),
            body: (facts) => (facts.length === 1 ? `${namesOf(t, facts)}. ${t.confirmBody}` : t.confirmBody),
          },
          done: all.done,
        },
      ]}
      empty={{ icon: 'check', title: t.empty, hint: t.emptyHint }}
    />
  )
}

/** The word for a kind or a follower; those of other versions are shown by their name. */
const wordOf = (words: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(words, name) ? (words[name] ?? name) : name

const namesOf = (t: Words, facts: readonly Fact[]) =>
  facts.map(({ kind }) => wordOf(t.kinds, kind)).join(', ')

/** The follower of a fact, and the machine, user or enterprise it is about. */
function aboutOf(t: Words, { follower, machineId, userId, eid }: Fact): string {
  const subjects = [
    machineId !== null && t.machine(String(machineId)),
    userId !== null && t.user(String(userId)),
    eid !== null && t.enterprise(String(eid)),
  ]
  return [t.by(wordOf(t.followers, follower)), ...subjects.filter((subject) => subject !== false)].join(' · ')
}
