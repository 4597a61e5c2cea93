import { ApiError, applications } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Text } from '../../shared/ui/layout/layout.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { refreshApplications } from './application-queries.ts'
import css from './waiting-application.module.css'

interface WaitingApplicationProps {
  application: Pick<applications.Application, 'applyId' | 'kind' | 'auditState'>
  machineId: number
  /** It was withdrawn, or is over already. */
  onOver?: () => void
}

/** The caller's open application, with a button to withdraw it. */
export function WaitingApplication({ application, machineId, onOver }: WaitingApplicationProps) {
  const t = useText().applications
  const client = useQueryClient()
  const { applyId, kind, auditState } = application
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(applications.cancelApplication, { applyId }),
    onSuccess: () => showToast(t.withdraw.done),
    onError: (error) => {
      const isOver = error instanceof ApiError && error.is('APPLICATION_GONE')
      if (!isOver) showToast(t.withdraw.failed, 'failure')
    },
    onSettled: () => {
      onOver?.()
      return refreshApplications(client, machineId)
    },
  })
  const isHalf = auditState !== applications.auditStates.waiting
  return (
    <Row surface="well" pad="10 12" gap={10} className={css.waiting}>
      <Icon name="clock" />
      <Text as="p" grows pretty role="status">
        {t.waitingOf[kind]}
        <span className={css.note}>{isHalf ? t.states[auditState] : t.apply.expires}</span>
      </Text>
      <Button size="small" busy={isPending} onClick={() => mutate()}>
        {t.withdraw.action}
      </Button>
    </Row>
  )
}
