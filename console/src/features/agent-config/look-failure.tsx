import { ApiError } from '@busbar/contract'
import { Button } from '../../shared/ui/button.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row } from '../../shared/ui/layout/layout.tsx'
import { useAgentConfigText } from './agent-config-text.ts'
import css from './drivers.module.css'
import { NotProved } from './proved.ts'

interface LookFailureProps {
  error: Error
  isFetching: boolean
  retry: () => void
}

/** Why a controller could not be explored. */
export function LookFailure({ error, isFetching, retry }: LookFailureProps) {
  const t = useAgentConfigText()
  return (
    <Row gap="8 12" justify="between" wraps className={css.failure} role="alert">
      <p>
        <Icon name="warning" size={14} />
        {reasonOf()}
      </p>
      <Button size="small" icon="refresh" busy={isFetching} onClick={retry}>
        {t.look.retry}
      </Button>
    </Row>
  )

  function reasonOf(): string {
    if (error instanceof NotProved) return t.look.needsPassword
    if (!(error instanceof ApiError)) return t.look.failed
    const { data } = error
    if (error.is('CONTROLLER_FAILED') && typeof data === 'object' && data !== null && 'reason' in data)
      return `${t.look.failed}${data.reason ? ` – ${t.look.reason(String(data.reason))}` : ''}`
    if (error.is('CONTROL_TAKEN') && typeof data === 'object' && data !== null && 'name' in data)
      return t.taken(String(data.name))
    return error.message || t.look.failed
  }
}
