// Package finding is what a campaign finds: a case in which engines part, made
// small, with all that is needed to look at it again.
//
//  1. A [Judge] asks engines about a case and tells the verdicts; package ci has
//     the one that its runs use too.
//  2. The worst verdict that fails has a [Signature]: what the difference is,
//     without the particulars of the case, so that one fault is one finding
//     however often it is met.
//  3. [Finding.Shrink] makes the case smaller as long as its signature stays.
//  4. A [Recorder] writes down what engines answer; a [Finding] keeps that, the
//     case, the versions and the seed as one file ([Finding.Encode], [Decode];
//     schema/finding.schema.json).
//  5. [Finding.Playback] gives engines that answer from it, so that the finding
//     can be judged again without those it was found with.
package finding
