# One entry for each way in which the privacy core could be wrong by one constant or one missing line, and the tests
# that must notice. Later modules add theirs.

# Test 1 of the privacy page: the noise.
flaim_mutation(NAME sigma_halved PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/discrete_gaussian.cc
  FIND "return {numerator, 2 * static_cast<UInt128>(sigma_squared.numerator())};"
  REPLACE "return {4 * numerator, 2 * static_cast<UInt128>(sigma_squared.numerator())};"
  TESTS "DiscreteGaussian.HasItsVarianceAndNoMean:*DiscreteGaussianOf.*")
flaim_mutation(NAME sigma_over_root_two PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/discrete_gaussian.cc
  FIND "return {numerator, 2 * static_cast<UInt128>(sigma_squared.numerator())};"
  REPLACE "return {numerator, static_cast<UInt128>(sigma_squared.numerator())};"
  TESTS "DiscreteGaussian.HasItsVarianceAndNoMean:*DiscreteGaussianOf.*")
flaim_mutation(NAME released_sigma_halved PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/release.cc
  FIND "DiscreteGaussian(spend.mechanism().sigma_squared).Add(noise, noisy.values);"
  REPLACE "DiscreteGaussian(Rational(spend.mechanism().sigma_squared.numerator(), 4 * spend.mechanism().sigma_squared.denominator())).Add(noise, noisy.values);"
  TESTS "ReleaseTest.*")
flaim_mutation(NAME fixed_seed PROGRAM base_tests LIBRARY base FILE src/base/secure_random_source.cc
  FIND "randombytes_buf(state_->key, sizeof state_->key);"
  REPLACE "std::memset(state_->key, 7, sizeof state_->key);"
  TESTS "SecureRandomSource.*")
flaim_mutation(NAME stream_shared_after_fork PROGRAM base_tests LIBRARY base FILE src/base/secure_random_source.cc
  FIND "madvise(memory, size, MADV_WIPEONFORK) == 0"
  REPLACE "memory != nullptr"
  TESTS "SecureRandomSource.*")
flaim_mutation(NAME bytes_kept_after_use PROGRAM base_tests LIBRARY base FILE src/base/secure_random_source.cc
  FIND "std::memcpy(state_->key, stream, sizeof state_->key);"
  REPLACE ""
  TESTS "SecureRandomSource.*")

# Test 2: selection.
flaim_mutation(NAME selection_sensitivity_halved PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/exponential_sampler.cc
  FIND "weights.denominator = 2 * static_cast<UInt128>(sensitivity)"
  REPLACE "weights.denominator = static_cast<UInt128>(sensitivity)"
  TESTS "SampleExponential.*:ExponentialMechanism.*")

# Test 3: sensitivities.
flaim_mutation(NAME counts_sensitivity_of_one PROGRAM marginal_slow_tests LIBRARY marginal FILE src/marginal/sensitivity.cc
  FIND "return kCellsMovedByOneRecord * static_cast<std::int64_t>(cliques);"
  REPLACE "return kCellsMovedByOneRecord;"
  TESTS "CountsSensitivity.*")
flaim_mutation(NAME share_sensitivity_halved PROGRAM marginal_slow_tests LIBRARY marginal FILE src/marginal/sensitivity.cc
  FIND "kMoveOfShareScore = 2"
  REPLACE "kMoveOfShareScore = 1"
  TESTS "ShareScoreSensitivity.*")
flaim_mutation(NAME augmented_sensitivity_halved PROGRAM marginal_slow_tests LIBRARY marginal FILE src/marginal/sensitivity.cc
  FIND "kMoveOfAugmentedShareScore = 4"
  REPLACE "kMoveOfAugmentedShareScore = 2"
  TESTS "AugmentedShareScoreSensitivity.*")
flaim_mutation(NAME summed_scores_sensitivity_halved PROGRAM marginal_slow_tests LIBRARY marginal FILE src/marginal/sensitivity.cc
  FIND "kMove = kMoveOfShareScore * kSummedScoreScale;"
  REPLACE "kMove = kMoveOfShareScore * kSummedScoreScale / 2;"
  TESTS "SummedScoresSensitivity.*")
flaim_mutation(NAME score_moves_twice_as_far PROGRAM marginal_slow_tests LIBRARY marginal FILE src/marginal/score.cc
  FIND "distance += fits ? std::abs(count * kScoreScale - Round(expected)) : 0;"
  REPLACE "distance += fits ? 2 * std::abs(count * kScoreScale - Round(expected)) : 0;"
  TESTS "ScoreSensitivity.*")

# Test 4: the ledger.
flaim_mutation(NAME gaussian_cost_halved PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/charge.cc
  FIND "kGaussianDivisor = 2" REPLACE "kGaussianDivisor = 4"
  TESTS "CostOf.*:LedgerProperty.*")
flaim_mutation(NAME selection_cost_halved PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/charge.cc
  FIND "kExponentialDivisor = 8" REPLACE "kExponentialDivisor = 16"
  TESTS "CostOf.*:LedgerProperty.*")
flaim_mutation(NAME nothing_charged PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/ledger_state.cc
  FIND "const Rho cost = CostOf(charge.mechanism);" REPLACE "const Rho cost;"
  TESTS "Ledger.*:LedgerProperty.*")
flaim_mutation(NAME composition_counted_once PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/ledger_state.cc
  FIND "const Rho cumulative = spent_ + cost;" REPLACE "const Rho cumulative = std::max(spent_, cost);"
  TESTS "Ledger.*:LedgerProperty.*")
flaim_mutation(NAME budget_not_enforced PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/ledger_state.cc
  FIND "if (cumulative > terms().total) {" REPLACE "if (false) {"
  TESTS "Ledger.*:LedgerProperty.*")
flaim_mutation(NAME recorded_value_drawn_again PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/release.cc
  FIND "return NoisyCounts{.values = std::move(values), .provenance = spend.recorded_->provenance};"
  REPLACE "DiscreteGaussian(spend.mechanism().sigma_squared).Add(noise, values); return NoisyCounts{.values = std::move(values), .provenance = noise.Provenance()};"
  TESTS "ReleaseTest.*")

# The accounts of simulated clients.
flaim_mutation(NAME account_allowance_not_enforced PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/account_book.cc
  FIND "if (spent_[payer] + cost <= allowance_) continue;" REPLACE "continue;"
  TESTS "AccountBook.*")
flaim_mutation(NAME account_name_released_twice PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/account_book.cc
  FIND "names_.insert(name);" REPLACE ""
  TESTS "AccountBook.*")
flaim_mutation(NAME account_only_first_payer_debited PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/account_book.cc
  FIND "for (const AccountIndex payer : payers) spent_[payer] = spent_[payer] + cost;"
  REPLACE "if (!payers.empty()) spent_[payers.front()] = spent_[payers.front()] + cost;"
  TESTS "AccountBook.*")

# Test 5: the accountants.
flaim_mutation(NAME zcdp_conversion_forgets_alpha PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/zcdp_accountant.cc
  FIND "const double moment = excess * (alpha * rho - epsilon);" REPLACE "const double moment = excess * (rho - epsilon);"
  TESTS "ZcdpAccountant.*")
flaim_mutation(NAME zcdp_conversion_loses_its_last_factor PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/zcdp_accountant.cc
  FIND "return moment - divisor + sharpening" REPLACE "return moment - divisor"
  TESTS "ZcdpAccountant.*")
flaim_mutation(NAME gaussian_separation_halved PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/gaussian_accountant.cc
  FIND "const long double half = 0.5L * mu.value();" REPLACE "const long double half = 0.25L * mu.value();"
  TESTS "GaussianAccountant.*")
flaim_mutation(NAME exact_accountant_rounds_inward PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/privacy_profile.cc
  FIND "std::min(1.0, value * (1 + kRoundingSlack) + kUnderflowSlack)" REPLACE "value * (1 - 1e-6)"
  TESTS "ExactAccountant.*:PrivacyProfile.*")
flaim_mutation(NAME selection_loss_averaged_not_worst PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/privacy_profile.cc
  FIND "values_[index] = std::max(values_[index], MaximumOnCell(mean[index], next_mean, std::max(bulge, 0.0)));"
  REPLACE "values_[index] = (values_[index] + MaximumOnCell(mean[index], next_mean, std::max(bulge, 0.0))) / 2;"
  TESTS "ExactAccountant.*:PrivacyProfile.*")

# Test 8: crashes.
flaim_mutation(NAME value_leaves_before_it_is_durable PROGRAM privacy_slow_tests LIBRARY privacy FILE src/privacy/release.cc
  FIND "RETURN_IF_ERROR(spend.Record(EncodeCounts(noisy.values), noisy.provenance));" REPLACE ""
  TESTS "LedgerCrash.*")
flaim_mutation(NAME second_release_after_a_crash PROGRAM privacy_slow_tests LIBRARY privacy FILE src/privacy/release.cc
  FIND "return NoisyCounts{.values = std::move(values), .provenance = spend.recorded_->provenance};"
  REPLACE "DiscreteGaussian(spend.mechanism().sigma_squared).Add(noise, values); return NoisyCounts{.values = std::move(values), .provenance = noise.Provenance()};"
  TESTS "LedgerCrash.*")

# AIM: what it charges, and what it compares with.
flaim_mutation(NAME aim_initialisation_charged_once PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/aim/budget_schedule.cc
  FIND "const GaussianMechanism one_ways{round->sigma_squared, attributes};"
  REPLACE "const GaussianMechanism one_ways{round->sigma_squared, 1};"
  TESTS "BudgetSchedule.*:Aim.PaysForExactlyWhatTheScheduleSays")
flaim_mutation(NAME aim_selection_not_charged PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/aim/budget_schedule.cc
  FIND "return CostOf(GaussianMechanism{sigma_squared}) + CostOf(ExponentialMechanism{epsilon});"
  REPLACE "return CostOf(GaussianMechanism{sigma_squared});"
  TESTS "BudgetSchedule.NeverSpendsMoreThanItsAllowanceAndHardlyLess")
flaim_mutation(NAME aim_score_sensitivity_halved PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/aim/aim.cc
  FIND "return ScoreSensitivity(weights);"
  REPLACE "ASSIGN_OR_RETURN(const std::int64_t whole, ScoreSensitivity(weights)); return whole / 2;"
  TESTS "Aim.PaysForExactlyWhatTheScheduleSays")
flaim_mutation(NAME aim_selects_without_noise PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/aim/aim.cc
  FIND "ASSIGN_OR_RETURN(const NoisyChoice choice, ReleaseExponential(std::move(spend), scores, resources.noise));"
  REPLACE "const NoisyChoice choice{static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin()), resources.noise.Provenance()};"
  TESTS "Aim.PaysForExactlyWhatTheScheduleSays")
flaim_mutation(NAME aim_true_total_in_scores PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/aim/aim.cc
  FIND "for (double& value : expected) value *= state.model->total();"
  REPLACE "double rows = 0; for (const std::int64_t count : counts.Counts(candidate)) rows += static_cast<double>(count); for (double& value : expected) value *= rows;"
  TESTS "Aim.ComparesWithThePublicNumberOfRecords")
flaim_mutation(NAME aim_second_run_draws_again PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/aim/aim.cc
  FIND "resources.ledger.Debit({options.run, 0, \"one-ways\"}, mechanism));"
  REPLACE "resources.ledger.Debit({options.run, static_cast<std::int64_t>(resources.noise.NextBelow(1000)), \"one-ways\"}, mechanism));"
  TESTS "Aim.GivesTheRecordedModelBackWithoutPayingAgain:Aim.PaysForExactlyWhatTheScheduleSays")

# AIM's error bounds.
flaim_mutation(NAME bound_forgets_the_noise PROGRAM algorithms_slow_tests LIBRARY algorithms FILE src/algorithms/aim/error_bounds.cc
  FIND "const double bound = Distance(shares, model.total(), noisy.values) + NoiseNorm(cells, variance, excess);"
  REPLACE "const double bound = Distance(shares, model.total(), noisy.values);"
  TESTS "ErrorBounds.HoldAsOftenAsTheySay")
flaim_mutation(NAME bound_forgets_that_selection_is_noisy PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/aim/error_bounds.cc
  FIND "last.score_noise_records * (std::log(static_cast<double>(last.affordable.size())) + selection_excess);"
  REPLACE "last.score_noise_records * selection_excess;"
  TESTS "LastRoundBounds.HoldWhenABetterCandidateIsSelectedByChance")
flaim_mutation(NAME bound_trusts_the_selection_too_much PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/aim/error_bounds.cc
  FIND "(std::log(static_cast<double>(last.affordable.size())) + selection_excess);"
  REPLACE "std::log(static_cast<double>(last.affordable.size()));"
  TESTS "LastRoundBounds.HoldWhenABetterCandidateIsSelectedByChance")
flaim_mutation(NAME bound_forgets_the_last_noise PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/aim/error_bounds.cc
  FIND "last.sigma * std::sqrt(2 * selected_cells * noise_excess) +"
  REPLACE ""
  TESTS "LastRoundBounds.HoldWhenNoiseHidesAPartOfTheSelectedError")
flaim_mutation(NAME bound_forgets_the_penalty PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/aim/error_bounds.cc
  FIND "last.penalty_records_per_cell * cells + ScoreRounding(cells);"
  REPLACE "ScoreRounding(cells);"
  TESTS "LastRoundBounds.HoldForAMarginalWithManyMoreCellsThanTheSelectedOne")
