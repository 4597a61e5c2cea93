import type { applications } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { applicationsQuery, rowsPerPage } from '../../entities/access/access-queries.ts'
import { formatNumber, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Box, Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { Pager } from '../../shared/ui/pager.tsx'
import people from '../../shared/ui/people/panel.module.css'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { useAdministration } from './administration.ts'
import { ApplicationRow } from './application-row.tsx'

/** Open applications with their answers, and the results of earlier ones. */
export function ApplicationsSection() {
  const t = useText().access.applications
  return (
    <>
      <ApplicationList
        open
        title={t.waiting}
        lead={t.lead}
        empty={<EmptyState icon="mail" title={t.none} hint={t.noneHint} />}
      />
      <ApplicationList
        open={false}
        title={t.history}
        empty={
          <Text as="p" pad={16} tone="quiet">
            {t.historyNone}
          </Text>
        }
      />
    </>
  )
}

interface ApplicationListProps {
  /** Open applications, or closed ones. */
  open: boolean
  title: string
  lead?: string
  empty: ReactNode
}

function ApplicationList({ open, title, lead, empty }: ApplicationListProps) {
  const { machineId } = useAdministration()
  const { access: t, app } = useText()
  const titleId = useId()
  const [page, setPage] = useState(1)
  const query = useQuery(applicationsQuery(machineId, { open, page }))
  const { data } = query
  // The last row of the last page was answered: the page before it is the last.
  if (data && data.list.length === 0 && page > 1) setPage(page - 1)

  function content(): ReactNode {
    if (!data) {
      return query.isError ? (
        <EmptyState icon="warning" title={t.failed.title} hint={t.failed.hint}>
          <Button icon="refresh" busy={query.isFetching} onClick={() => void query.refetch()}>
            {app.retry}
          </Button>
        </EmptyState>
      ) : (
        <Stack pad={16} gap={8}>
          <Skeleton width={180} />
          <Skeleton width={280} />
        </Stack>
      )
    }
    if (data.list.length === 0) return empty
    const mine = data.list.filter((application) => application.mayAnswer)
    return (
      <ul aria-labelledby={titleId}>
        {data.list.map((application: applications.Application) => (
          <ApplicationRow
            key={application.applyId}
            application={application}
            // A single open application is shown with its answers, without a press.
            opened={mine.length === 1 && mine[0] === application}
          />
        ))}
      </ul>
    )
  }

  return (
    <section className={people.panel} aria-labelledby={titleId} aria-busy={query.isPending}>
      <Row as="header" pad="14 16" gap="10 16" wraps>
        <div className={people.words}>
          <Row id={titleId} as="h2" gap={8} align="baseline" size="16/22">
            {title}
            {data && data.total > 0 && (
              <Text tone="quiet" size={12} weight={400} numbers>
                {formatNumber(data.total)}
              </Text>
            )}
          </Row>
          {lead && (
            <Text as="p" tone="quiet" pretty>
              {lead}
            </Text>
          )}
        </div>
        {data && (
          <Pager size="small" page={page} pages={Math.ceil(data.total / rowsPerPage)} onPage={setPage} />
        )}
      </Row>
      <Box line="top">{content()}</Box>
    </section>
  )
}
