import { ApiError } from '@busbar/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Text } from '../../shared/ui/layout/layout.tsx'
import { ShapeWait } from '../../shared/ui/shape-wait.tsx'
import { TabLinks, tabClass } from '../../shared/ui/tabs/tab-links.tsx'
import { useOperatorText } from './operator-text.ts'
import { type SubjectList, type SubjectPart, subjectLists } from './search.ts'
import css from './subject-page.module.css'

/** Facts in the order they are read; false: left out. */
export type Facts = readonly (readonly [title: string, value: ReactNode] | false)[]

interface SubjectPageProps<Part extends SubjectPart> {
  part: Part
  id: number
  name: string
  /** Beside the name. */
  tags?: ReactNode
  actions?: ReactNode
  facts: Facts
  /** The list that is open. */
  list: SubjectList | undefined
  lists: Readonly<Record<(typeof subjectLists)[Part][number], () => ReactNode>>
}

/** All that an operator needs of one person, one machine or one enterprise: facts, actions, and lists as tabs. */
export function SubjectPage<Part extends SubjectPart>(props: SubjectPageProps<Part>) {
  const { part, id, name, facts, lists } = props
  const t = useOperatorText().pages
  type List = (typeof subjectLists)[Part][number]
  const known: readonly List[] = subjectLists[part]
  const list = known.find((each) => each === props.list) ?? known[0]
  const shown = list && lists[list]
  return (
    <>
      <Row as="header" gap="8 16" below={14} wraps>
        <div className={css.names}>
          <BackLink part={part} />
          <Text as="h2" size="16/22" shrinks breaks>
            {name}
          </Text>
          {props.tags}
        </div>
        {props.actions && (
          <Row align="stretch" gap={8} wraps>
            {props.actions}
          </Row>
        )}
      </Row>
      <div className={css.body}>
        <dl className={css.facts} data-subject="" aria-label={t.facts}>
          {facts.map(
            (fact) =>
              fact && (
                <div key={fact[0]} className={css.fact}>
                  <dt>{fact[0]}</dt>
                  <dd>{fact[1]}</dd>
                </div>
              ),
          )}
        </dl>
        <div className={css.lists}>
          <TabLinks label={t.label} chosen={`${id} ${list}`}>
            {known.map((each) => (
              <Link
                key={each}
                to="/backManage"
                search={{ part, id, list: each }}
                className={tabClass}
                activeProps={{}}
                aria-current={each === list ? 'page' : undefined}
              >
                {t.lists[each]}
              </Link>
            ))}
          </TabLinks>
          <div key={list}>{shown?.()}</div>
        </div>
      </div>
    </>
  )
}

function BackLink({ part }: { part: SubjectPart }) {
  const t = useOperatorText().pages
  return (
    <Link
      to="/backManage"
      search={{ part }}
      className={css.back}
      aria-label={t.back[part]}
      data-tip={t.back[part]}
    >
      <Icon name="chevronLeft" size={18} />
    </Link>
  )
}

interface SubjectStateProps {
  part: SubjectPart
  query: Pick<UseQueryResult, 'error' | 'isError' | 'isFetching' | 'refetch'>
}

/** In place of a page: still loading, not there, or failed. */
export function SubjectState({ part, query }: SubjectStateProps) {
  const all = useOperatorText()
  const { app } = useText()
  const t = all.pages
  if (!query.isError) return <ShapeWait shape="detail" />
  if (query.error instanceof ApiError && query.error.http === 404)
    return (
      <EmptyState icon="search" title={t.missing[part]} hint={t.missingHint}>
        <Link to="/backManage" search={{ part }}>
          {t.back[part]}
        </Link>
      </EmptyState>
    )
  return (
    <EmptyState icon="warning" title={all.failed} hint={all.failedHint}>
      <Button icon="refresh" busy={query.isFetching} onClick={() => void query.refetch()}>
        {app.retry}
      </Button>
    </EmptyState>
  )
}
