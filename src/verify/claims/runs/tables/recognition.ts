// What is known of a command line: the runs it holds, and what else it may have done.
import type { ResultSubject } from "../../result-subject.ts";
import type { Proof } from "../programs-of.ts";
import type { Ecosystem } from "./known-tools.ts";

/** One program of a command that can prove something. */
export type Recognised = {
  subjects: readonly ResultSubject[];
  ecosystem: Ecosystem;
  proof: Proof;
  /** Files, names and filters that make it a part of everything; empty for all. */
  parts: readonly string[];
  /** From the root; absolute where it lies outside. */
  folder: string;
  /** It repairs what it finds: what it proves is less. */
  fixes: boolean;
  /** It may have run nothing at all: only numbers in its output count. */
  mayBeEmpty: boolean;
};

export type Recognition = {
  runs: Recognised[];
  /** A program that nobody knows. */
  unknown: string | null;
  /** It is a script, a task or a container whose text is not at hand: it may have run anything. */
  isOpaque: boolean;
  /** It executes something of the project: a program, a request, a script. */
  executes: boolean;
  /** One of its programs is no build and no check: it may be the thing itself. */
  runsOther: boolean;
  /** It can have written files that nobody names. */
  mayWrite: boolean;
  /** Among them sources: neither a build, nor an installer, nor a delivery writes those. */
  mayEdit: boolean;
  /** Deliveries that it was asked to show, plan or try, not to make. */
  rehearsed: ResultSubject[];
};
