import type {
  EnterpriseRight,
  ErrorCode,
  MachineKind,
  MachineRight,
  MemberRight,
  Program,
  ProjectKind,
  ProjectRight,
} from '@busbar/contract'
import type { SignedIn } from './bind.ts'
import type { Brand } from './brand.ts'

/** The brands by the hosts of their consoles. */
export interface BrandHosts {
  /** The brand of a Host header; the default one for a host that no brand has. */
  find(hostHeader: string | undefined): Brand
  /** True where a brand in use has this host. */
  hasHost(hostHeader: string | undefined): boolean
}

/** The functions of the modules that decide who may pass. */
export interface Guards {
  /**
   * The session of a token on a brand's host, or nothing when it is unknown there, expired or revoked, or of a program
   * that is not among those admitted.
   */
  findSession(
    token: string,
    now: number,
    brandId: number,
    admitted?: readonly Program[],
  ): Promise<SignedIn | undefined>
  isOperator(userId: number): Promise<boolean>
  readonly brands: BrandHosts
  /**
   * True when the user has the right over every named machine, or instead of it `orMember` in the enterprise that owns
   * the machine.
   */
  hasMachineRight(
    userId: number,
    right: MachineRight,
    machineIds: readonly number[],
    now: number,
    orMember?: MemberRight,
  ): Promise<boolean>
  /**
   * True when the user may change the settings of every named machine: with read-write access as a key, or with
   * `orMember` in the enterprise that owns the machine.
   */
  maySetMachines(
    userId: number,
    machineIds: readonly number[],
    now: number,
    orMember?: MemberRight,
  ): Promise<boolean>
  /** The reason why the user lacks that right: one of `auditErrors` in the contract. */
  denialReason(userId: number, machineId: number, now: number, right: MachineRight): Promise<ErrorCode>
  /** The machines that a value of a kind names; undefined when one of the named things does not exist. */
  machinesOf(kind: MachineKind, named: unknown): Promise<readonly number[] | undefined>
  /** The project that an id of this kind names; undefined when there is none. */
  projectOf(kind: ProjectKind, id: number): Promise<number | undefined>
  hasProjectRight(userId: number, projectId: number, right: ProjectRight): Promise<boolean>
  hasEnterpriseRight(userId: number, eid: number, right: EnterpriseRight): Promise<boolean>
  /** True when every machine is one of the enterprise's devices. */
  areDevicesOf(eid: number, machineIds: readonly number[]): Promise<boolean>
}
