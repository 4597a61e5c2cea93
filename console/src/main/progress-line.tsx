import { useRouterState } from '@tanstack/react-router'
import css from './progress-line.module.css'

/** Under the header, from 150 ms after a press until its page is there: a page that comes at once needs none. */
export function ProgressLine() {
  const isComing = useRouterState({ select: ({ isLoading }) => isLoading })
  return isComing && <div className={`${css.line} passes`} aria-hidden="true" data-coming="" />
}
