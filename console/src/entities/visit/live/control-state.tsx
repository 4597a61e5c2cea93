import { useText } from '../../../shared/i18n/index.ts'
import { classes } from '../../../shared/ui/classes.ts'
import css from './control-state.module.css'

/** Whether a visit controls its machine or watches. */
export function ControlState({ controls }: { controls: boolean }) {
  const t = useText().visits.in
  return (
    <span className={classes(css.state, controls && css.control)}>{controls ? t.control : t.watching}</span>
  )
}
