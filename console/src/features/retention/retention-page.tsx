import { mayInEnterprise } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { DataCentre } from '../../entities/data-centre/data-centre.tsx'
import { permissionQuery } from '../../entities/enterprise/enterprise-queries.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { Button } from '../../shared/ui/button.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { ShapeWait } from '../../shared/ui/shape-wait.tsx'
import { NextChange } from './next-change.tsx'
import css from './retention.module.css'
import { RetentionForm } from './retention-form.tsx'
import { retentionQuery } from './retention-queries.ts'
import { useRetentionText } from './retention-text.ts'

/** How long a space keeps its values. */
export function RetentionPage(): ReactNode {
  return <DataCentre tab="retention">{(space) => <RetentionOfSpace space={space} />}</DataCentre>
}

function RetentionOfSpace({ space }: { space: PageSpace }) {
  const { asked, enterprise } = space
  const t = useRetentionText()
  const { data, isError, isFetching, refetch } = useQuery(retentionQuery(asked))
  const permission = useQuery({ ...permissionQuery(asked.eid ?? 0), enabled: enterprise !== undefined })
  if (isError && !data)
    return (
      <EmptyState icon="warning" title={t.failed.title}>
        <Button icon="refresh" busy={isFetching} onClick={() => void refetch()}>
          {t.failed.retry}
        </Button>
      </EmptyState>
    )
  if (!data || (enterprise && permission.isPending)) return <ShapeWait shape="form" />
  const maySet = !enterprise || mayInEnterprise(permission.data, 'admin')
  return (
    <div className={css.page}>
      <p className={css.lead}>{enterprise ? t.lead.enterprise(enterprise.name) : t.lead.personal}</p>
      {enterprise && !maySet && (
        <p className={css.locked}>
          <Icon name="lock" size={14} />
          {t.readOnly(enterprise.name)}
        </p>
      )}
      {data.next && <NextChange asked={asked} current={data} next={data.next} maySet={maySet} />}
      <RetentionForm asked={asked} kept={data} maySet={maySet} />
    </div>
  )
}
