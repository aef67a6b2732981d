#pragma once

/// Everything a user of the library needs.

#include "caos/conformal/calibration.hpp"
#include "caos/conformal/coverage_law.hpp"
#include "caos/conformal/evaluation.hpp"
#include "caos/conformal/full.hpp"
#include "caos/conformal/growing.hpp"
#include "caos/conformal/joint.hpp"
#include "caos/conformal/method.hpp"
#include "caos/conformal/own_scores.hpp"
#include "caos/conformal/split.hpp"
#include "caos/core/error.hpp"
#include "caos/core/version.hpp"
#include "caos/engine/evaluate.hpp"
#include "caos/engine/learning_curve.hpp"
#include "caos/engine/predict.hpp"
#include "caos/io/artifact.hpp"
#include "caos/io/csv.hpp"
#include "caos/io/npy.hpp"
#include "caos/io/score_file.hpp"
#include "caos/numerics/check_scores.hpp"
#include "caos/numerics/minsum.hpp"
