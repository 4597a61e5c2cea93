import { liveValues } from '../../../entities/machine/live-values.ts'
import { useIsLive } from '../../../shared/api/live.ts'
import { formatClock, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { classes } from '../../../shared/ui/classes.ts'
import { Box, Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { useNow } from '../../../shared/ui/use-now.ts'
import { mayAdd, useDeviceSpace } from '../space.ts'
import { ConnectButton } from './connect-button.tsx'
import css from './list-head.module.css'
import type { MachineListProps } from './list-props.ts'
import { useSpaceWords } from './use-space-words.ts'

/** The title of a list on a wide screen, with its own acts. */
export function ListHead({ view, onAdd }: Pick<MachineListProps, 'view' | 'onAdd'>) {
  const space = useDeviceSpace()
  const words = useSpaceWords()
  return (
    <Row as="header" gap={14} fixed className={css.head}>
      <h1>{words.title}</h1>
      {view.status === 'ready' && <UpdatedNote answeredAt={view.updatedAt} />}
      <Box as="span" grows />
      <ConnectButton />
      {mayAdd(space) && (
        <Button kind="primary" icon="plus" onClick={() => onAdd()}>
          {words.add}
        </Button>
      )}
    </Row>
  )
}

/** When anything was last heard: an answer, or a pushed value. */
function UpdatedNote({ answeredAt }: { answeredAt: number }) {
  const t = useText().machines
  const isLive = useIsLive()
  useNow(1_000)
  const clock = formatClock(Math.max(answeredAt, liveValues.heardAt))
  return (
    <Text tone="quiet" size={12} cut numbers className={classes(css.updated, !isLive && css.old)}>
      {isLive ? t.updated(clock) : t.notLive(clock)}
    </Text>
  )
}
