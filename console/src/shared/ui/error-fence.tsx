import { Component, type ReactNode } from 'react'
import { BrokenPage } from './broken-page.tsx'

interface ErrorFenceProps {
  /** A change of name resets it. */
  name: string
  children: ReactNode
}

interface ErrorFenceState {
  readonly name: string
  readonly error?: unknown
}

/** Contains an error, so that the surroundings keep working. */
export class ErrorFence extends Component<ErrorFenceProps, ErrorFenceState> {
  override state: ErrorFenceState = { name: this.props.name }

  static getDerivedStateFromError(error: unknown): Partial<ErrorFenceState> {
    return { error }
  }

  static getDerivedStateFromProps({ name }: ErrorFenceProps, state: ErrorFenceState): ErrorFenceState | null {
    return name === state.name ? null : { name }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return <BrokenPage part error={error} reset={() => this.setState({ error: undefined })} />
  }
}
