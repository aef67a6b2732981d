"""Options that cannot be used: exit 2, said before any file is opened."""

import unittest

from support import ProgramTest

FAILED = 1
MISUSED = 2

# Empty files: to complain about them would be exit 1.
LABELED = ["--labeled", "no-scores.npy", "--labels", "no-labels.npy"]
EVALUATE = ["evaluate", *LABELED, "--test", "no-test.npy", "--test-labels", "no-truth.npy"]
CALIBRATE = ["calibrate", *LABELED, "--out", "model.caos"]
PREDICT = ["predict", "no-model.caos", "--test", "no-test.npy"]


class MisuseTest(ProgramTest):
    def setUp(self):
        super().setUp()
        # Empty, so that only what comes before their opening can be misuse.
        for name in ("no-scores.npy", "no-labels.npy", "no-test.npy", "no-truth.npy", "no-model.caos",
                     *"acmortxyz", "g.npy", "c.npy", "t.npy", "y.npy", "one"):
            self.write(name, "")

    def misuse(self, arguments, *said):
        message = self.refuse(MISUSED, arguments, *said)
        self.assertLess(len(message), 250, "too long to read")
        return message


class Commands(MisuseTest):
    def test_none_shows_which_there_are_with_examples(self):
        for group in ([], ["landmarks"], ["text"], ["audit"], ["experiment"], ["classify"]):
            run = self.run_caos(*group)
            self.assertEqual((run.code, run.out), (MISUSED, ""), group)
            self.assertEqual(run.err, self.output(*group, "-h"))
            self.assertIn("Example", run.err)
            self.assertLess(len(run.err.splitlines()), 50)
        for example in ("caos serve --demo", "caos landmarks calibrate", "caos text calibrate"):
            self.assertIn(example, self.run_caos().err)

    def test_an_unknown_one_is_named_with_the_nearest(self):
        self.misuse(["evaluat"], "'evaluat'", "did you mean 'evaluate'?", "see 'caos --help'")
        self.misuse(["landmark"], "did you mean 'landmarks'?")
        self.misuse(["landmarks", "predct"], "'predct'", "did you mean 'predict'?",
                    "see 'caos landmarks --help'")
        self.misuse(["audit", "zzz"], "'zzz'", "give one of draw, report, bound")

    def test_of_former_names_still_run(self):
        self.succeed("landmarks", "draw", "--out", "faces", "--n", 2, "--new", 1)
        self.assertTrue((self.folder / "faces" / "labeled.csv").exists())
        self.assertEqual(self.output("reference"), self.output("man", "--json"))
        self.assertNotIn("draw", self.output("landmarks", "--help"))

    def test_an_unknown_option_is_named_with_the_nearest(self):
        self.misuse([*EVALUATE, "--methds", "caos"], "'--methds'", "did you mean '--methods'?")
        self.misuse([*CALIBRATE, "--treads=2"], "'--treads'", "did you mean '--threads'?")
        self.assertNotIn("did you mean", self.misuse([*EVALUATE, "--zzzzzz"], "'--zzzzzz'"))

    def test_an_unknown_option_is_named(self):
        for arguments in (["--wrong"], [*EVALUATE, "--wrong"], [*CALIBRATE, "--wrong"],
                          [*PREDICT, "--alpha", "0.1", "--wrong"], ["inspect", "x", "--wrong"],
                          ["advise", "--n", 3, "--alpha", "0.1", "--wrong"],
                          ["generate", "--out", "x", "--wrong"], ["evaluate", "--wrong"]):
            self.misuse(arguments, "--wrong")

    def test_an_unexpected_word_is_named(self):
        self.misuse([*EVALUATE, "word"], "word")
        self.misuse(["inspect", "one", "word"], "word")

    def test_required_options_are_named(self):
        self.misuse(["evaluate", *LABELED, "--test-labels", "x"], "--test")
        self.misuse(["evaluate", *LABELED, "--test", "x"], "--test-labels")
        self.misuse(["calibrate", *LABELED], "--output")
        self.misuse(["predict", "m", "--alpha", "0.1"], "--test", "see 'caos predict --help'")
        self.misuse(["generate"], "--output")

    def test_an_option_without_its_value_is_named(self):
        for option in ("--alpha", "--k", "--methods", "--seed", "--reverse"):
            self.misuse([*EVALUATE, option], option)


class MissingFiles(MisuseTest):
    def test_are_reported_before_anything_else_is_asked(self):
        for arguments in (["evaluate", "--labeled", "missing.npy"], ["predict", "missing.npy"],
                          ["landmarks", "calibrate", "--images", "missing.npy"],
                          ["landmarks", "predict", "missing.npy", "one"],
                          ["text", "predict", "missing.npy", "x"], ["text", "calibrate", "--train", "missing.npy"],
                          ["classify", "predict", "missing.npy", "x"], ["inspect", "missing.npy"],
                          [*EVALUATE[:-1], "missing.npy", "--methods", "full-caos"]):
            self.refuse(FAILED, arguments, "missing.npy: no such file")


class Servers(MisuseTest):
    """Refused before anything is made."""

    def test_need_a_folder_or_the_demo(self):
        self.misuse(["serve"], "--data", "--demo")
        self.misuse(["serve", "--data", ""], "--data")

    def test_need_numbers_that_are_possible(self):
        for option, bad in (("--port", ["-1", "65536", "http"]), ("--max-upload", ["0", "9999"]),
                            ("--max-connections", ["0", "901"]), ("--timeout", ["0", "soon"]),
                            ("--threads", ["-1"])):
            for value in bad:
                self.misuse(["serve", "--data", "d", option, value], option)

    def test_need_an_address_that_is_one(self):
        for address in ("example.org", "256.0.0.1", "", "127.0.0.1:80"):
            self.misuse(["serve", "--data", "d", "--address", address], "--address")

    def test_that_others_can_reach_need_a_token(self):
        for address in ("0.0.0.0", "::", "10.0.0.1"):
            self.misuse(["serve", "--data", "d", "--address", address], "token")

    def test_take_one_token(self):
        self.misuse(["serve", "--data", "d", "--token-file", "a", "--make-token", "b"], "--make-token")

    def test_need_a_backbone_and_a_size_that_are_known(self):
        self.misuse(["serve", "--data", "d", "--backbone", "magic"], "magic")
        self.misuse(["serve", "--data", "d", "--working-size", "large"], "large")


class Alphas(MisuseTest):
    BAD = ["0", "1", "-0.1", "1.5", "abc", "nan", "inf", "0.1.2", "1e", "0,1", "10%", " 0.1", "0x1",
           "0.0", "1.0", "1e-400"]

    def test_outside_the_open_interval_from_0_to_1_or_no_numbers_are_refused(self):
        for alpha in self.BAD:
            with self.subTest(alpha=alpha):
                self.misuse([*PREDICT, "--alpha", alpha], "alpha", alpha, "between 0 and 1")
                self.misuse(["advise", "--n", 9, "--alpha", alpha], "alpha", "between 0 and 1")
                self.misuse([*EVALUATE, f"--alpha={alpha}"], "alpha", "between 0 and 1")

    def test_among_good_ones_are_refused(self):
        for alpha in ("0.1,abc", "0.1,2", "0.1,0"):
            self.misuse([*EVALUATE, "--alpha", alpha], "alpha", alpha.split(",")[1])

    def test_that_are_empty_are_refused(self):
        for arguments in (EVALUATE, PREDICT, ["advise", "--n", 9]):
            self.misuse([*arguments, "--alpha", ""], "alpha")
            self.misuse([*arguments, "--alpha="], "alpha")

    def test_several_are_refused_where_one_is_expected(self):
        self.misuse([*PREDICT, "--alpha", "0.1,0.2"], "0.1,0.2")

    def test_that_are_good_are_not_what_is_refused(self):
        for alpha in ("0.1", ".1", "0.10", "1e-3", "0.999999", "0.5,0.1"):
            self.refuse(FAILED, [*EVALUATE, "--alpha", alpha], "no-scores.npy")


class Counts(MisuseTest):
    BAD = ["0", "-1", "1.5", "abc", "", "nan", "99999999999999999999"]

    def test_of_added_scores_below_1_or_no_whole_numbers_are_refused(self):
        for k in self.BAD:
            with self.subTest(k=k):
                self.misuse([*EVALUATE, "--k", k], "--k", k)
                self.misuse([*CALIBRATE, "--k", k], "--k", k)
                self.misuse(["advise", *LABELED, "--alpha", "0.1", "--k", k], "--k", k)

    def test_of_examples_below_1_or_no_whole_numbers_are_refused(self):
        for n in self.BAD:
            with self.subTest(n=n):
                self.misuse(["advise", "--n", n, "--alpha", "0.1"], "--n", n)
                self.misuse(["advise", "--n", 9, "--alpha", "0.1", "--num-test", n], "--num-test")

    def test_of_a_toy_task_are_refused_before_its_folder_is_made(self):
        self.write("file", "")  # no folder can be made below it, so nothing runs away if accepted
        for option in ("--n", "--num-labels", "--num-test"):
            for value in ("-5", "abc", "1.5"):
                self.misuse(["generate", "--out", "file/x", option, value], option, value)
        for option in ("--n", "--num-labels"):
            for value in ("0", "1"):
                self.misuse(["generate", "--out", "toy", option, value], "at least 2")
        self.assertFalse((self.folder / "toy").exists())

    def test_of_threads_and_seeds_that_are_no_whole_numbers_are_refused(self):
        for value in ("-1", "abc", "0.5", "99999999999999999999"):
            with self.subTest(value=value):
                self.misuse([*EVALUATE, "--threads", value], "--threads", value)
                self.misuse([*EVALUATE, "--seed", value], "--seed", value)
                self.misuse([*CALIBRATE, "--threads", value], "--threads", value)
                self.misuse([*PREDICT, "--alpha", "0.1", "--threads", value], "--threads", value)
                self.misuse(["generate", "--out", "toy", "--seed", value], "--seed", value)


class Methods(MisuseTest):
    def test_that_do_not_exist_are_refused_with_those_that_do(self):
        self.misuse([*EVALUATE, "--methods", "caos,kaos"], "'kaos'", "split-caos-ref", "full-caos")
        self.misuse([*PREDICT, "--alpha", "0.1", "--method", "kaos"], "'kaos'", "full-caos")
        self.misuse([*EVALUATE, "--methods", ""], "method")

    def test_that_cannot_predict_are_refused_with_those_that_can(self):
        for method in ("scos", "scos-best", "split-caos-cal"):
            self.misuse([*PREDICT, "--alpha", "0.1", "--method", method], method, "full-caos")

    def test_lacking_reverse_scores_are_refused_with_the_remedy(self):
        for arguments in ([*EVALUATE, "--methods", "full-caos"],
                          [*PREDICT, "--alpha", "0.1", "--method", "full-caos"]):
            self.misuse(arguments, "full-caos", "--reverse", "--symmetric")

    def test_lacking_all_scores_are_refused(self):
        self.misuse(["evaluate", "--calibration", "c.npy", "--test", "t.npy", "--test-labels",
                     "y.npy", "--methods", "scos-best"], "scos-best", "--labeled")

    def test_without_a_form_for_groups_are_refused(self):
        for method in ("scos", "scos-best", "scos-oracle"):
            self.misuse([*EVALUATE, "--groups", "labels", "--methods", method], method, "group")


class Combinations(MisuseTest):
    def test_labeled_examples_must_be_given_one_way(self):
        evaluate = ["evaluate", "--test", "t", "--test-labels", "y"]
        for command in (evaluate, ["calibrate", "--out", "o"]):
            self.misuse(command, "--labeled", "--calibration")
            self.misuse([*command, *LABELED, "--calibration", "c"], "--labeled", "--calibration")
            self.misuse([*command, "--labeled", "a"], "--labels")
            self.misuse([*command, "--calibration", "c", "--groups", "labels"], "--labels")
        self.misuse(["advise", "--alpha", "0.1"], "--n", "--labeled")
        self.misuse(["advise", "--alpha", "0.1", "--n", 4, *LABELED], "--n", "--labeled")
        self.misuse(["advise", "--alpha", "0.1", "--labeled", "a"], "--labels")

    def test_reverse_and_symmetric_exclude_each_other(self):
        for arguments in (EVALUATE, [*PREDICT, "--alpha", "0.1"]):
            self.misuse([*arguments, "--symmetric", "--reverse", "r"], "--symmetric", "--reverse")

    def test_a_seed_and_given_references_exclude_each_other(self):
        self.misuse([*EVALUATE, "--seed", 1, "--reference-indices", "r"], "--seed",
                    "--reference-indices")

    def test_smoothing_and_a_clipped_rank_exclude_each_other(self):
        self.misuse([*PREDICT, "--alpha", "0.1", "--smoothed", "--clip-rank"], "--smoothed",
                    "--clip-rank")

    def test_a_seed_without_smoothing_is_refused(self):
        self.misuse([*PREDICT, "--alpha", "0.1", "--seed", 1], "--seed", "--smoothed")

    def test_groups_of_labeled_and_of_test_examples_go_together(self):
        self.misuse([*EVALUATE, "--groups", "g.npy"], "--test-groups")
        self.misuse([*EVALUATE, "--test-groups", "g.npy"], "--groups")
        self.misuse([*EVALUATE, "--groups", "labels", "--test-groups", "g.npy"], "--groups")

    def test_standard_input_can_be_only_one_of_the_files(self):
        self.misuse(["evaluate", "--labeled", "-", "--labels", "y", "--test", "-",
                     "--test-labels", "z"], "standard input")
        self.misuse(["predict", "-", "--test", "-", "--alpha", "0.1"], "standard input")

    def test_empty_names_of_files_to_write_are_refused(self):
        self.misuse(["calibrate", *LABELED, "--out", ""], "--output")
        self.misuse(["generate", "--out", ""], "--output")
        self.misuse([*EVALUATE, "--per-example", ""], "--per-example")


if __name__ == "__main__":
    unittest.main()
