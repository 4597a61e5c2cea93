import { machines } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { roleQuery } from '../../../entities/access/access-queries.ts'
import { VisitTimeText } from '../../../entities/access/visit-time-text.tsx'
import { RoleTag } from '../../../entities/machine/role-tag.tsx'
import { useRoleSync } from '../../../entities/visit/use-access-sync.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Box, Row } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import css from './my-right.module.css'

const { limitAuthority } = machines

/** The caller's rights to a machine and their duration, with an explanation. */
export function MyRight({ machineId, cloudService }: { machineId: number; cloudService: boolean }) {
  const t = useText().access.right
  const id = useId()
  const [isOpen, open] = useState(false)
  const { data: role } = useQuery(roleQuery(machineId))
  useRoleSync(machineId)
  const level = role?.level ?? limitAuthority.ordinary
  return (
    <Box as="section" line="bottom" pad="14 16" aria-labelledby={`${id}-title`} aria-busy={!role}>
      <Box id={`${id}-title`} as="h3" below={8}>
        {t.title}
      </Box>
      <Row gap="6 16" wraps>
        {role ? (
          <>
            <RoleTag level={level} />
            {level > limitAuthority.ordinary && <span>{role.readOnly ? t.readOnly : t.readWrite}</span>}
            {level > limitAuthority.ordinary && <span>{role.alarm ? t.alarms : t.noAlarms}</span>}
            {level === limitAuthority.visitor && <VisitTimeText visitTime={role.visitTime} />}
          </>
        ) : (
          <Skeleton width={160} />
        )}
        <button
          type="button"
          className={css.what}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => open(!isOpen)}
        >
          {t.what}
          <Icon name={isOpen ? 'chevronUp' : 'chevronDown'} size={14} />
        </button>
      </Row>
      {isOpen && (
        <div id={id} className={css.meaning}>
          <p>{t.meanings[level]}</p>
          {role?.readOnly && <p>{t.readOnlyMeaning}</p>}
          {!cloudService && <p>{t.cloudOffMeaning}</p>}
        </div>
      )}
    </Box>
  )
}
