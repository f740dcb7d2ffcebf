# One entry for each way in which the privacy core, or a statistic of ours, could be wrong by one constant or one missing
# line, and the tests that must notice. Later modules add theirs.

# The noise.
flaim_mutation(NAME sigma_halved PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/samplers/discrete_gaussian.cc
  FIND "return {numerator, 2 * static_cast<UInt128>(sigma_squared.numerator())};"
  REPLACE "return {4 * numerator, 2 * static_cast<UInt128>(sigma_squared.numerator())};"
  TESTS "DiscreteGaussian.HasItsVarianceAndNoMean:*DiscreteGaussianOf.*")
flaim_mutation(NAME sigma_over_root_two PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/samplers/discrete_gaussian.cc
  FIND "return {numerator, 2 * static_cast<UInt128>(sigma_squared.numerator())};"
  REPLACE "return {numerator, static_cast<UInt128>(sigma_squared.numerator())};"
  TESTS "DiscreteGaussian.HasItsVarianceAndNoMean:*DiscreteGaussianOf.*")
flaim_mutation(NAME released_sigma_halved PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/release/release.cc
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

# Selection.
flaim_mutation(NAME selection_sensitivity_halved PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/samplers/exponential_sampler.cc
  FIND "weights.denominator = 2 * static_cast<UInt128>(sensitivity)"
  REPLACE "weights.denominator = static_cast<UInt128>(sensitivity)"
  TESTS "SampleExponential.*:ExponentialMechanism.*")

# Sensitivities.
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

# The ledger.
flaim_mutation(NAME gaussian_cost_halved PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/budget/charge.cc
  FIND "kGaussianDivisor = 2" REPLACE "kGaussianDivisor = 4"
  TESTS "CostOf.*:LedgerProperty.*")
flaim_mutation(NAME selection_cost_halved PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/budget/charge.cc
  FIND "kExponentialDivisor = 8" REPLACE "kExponentialDivisor = 16"
  TESTS "CostOf.*:LedgerProperty.*")
flaim_mutation(NAME nothing_charged PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/ledger/ledger_state.cc
  FIND "const Rho cost = CostOf(charge.mechanism);" REPLACE "const Rho cost;"
  TESTS "Ledger.*:LedgerProperty.*")
flaim_mutation(NAME composition_counted_once PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/ledger/ledger_state.cc
  FIND "const Rho cumulative = spent_ + cost;" REPLACE "const Rho cumulative = std::max(spent_, cost);"
  TESTS "Ledger.*:LedgerProperty.*")
flaim_mutation(NAME budget_not_enforced PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/ledger/ledger_state.cc
  FIND "if (cumulative > terms().total) {" REPLACE "if (false) {"
  TESTS "Ledger.*:LedgerProperty.*")
flaim_mutation(NAME recorded_value_drawn_again PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/release/release.cc
  FIND "return NoisyCounts{.values = std::move(values), .provenance = spend.recorded_->provenance, .variance = variance};"
  REPLACE "DiscreteGaussian(spend.mechanism().sigma_squared).Add(noise, values); return NoisyCounts{.values = std::move(values), .provenance = noise.Provenance(), .variance = variance};"
  TESTS "ReleaseTest.*")

# The accounts of simulated clients.
flaim_mutation(NAME account_allowance_not_enforced PROGRAM simulation_tests LIBRARY simulation FILE src/simulation/account_book.cc
  FIND "if (spent_[payer] + cost <= allowance_) continue;" REPLACE "continue;"
  TESTS "AccountBook.*")
flaim_mutation(NAME account_name_released_twice PROGRAM simulation_tests LIBRARY simulation FILE src/simulation/account_book.cc
  FIND "names_.insert(name);" REPLACE ""
  TESTS "AccountBook.*")
flaim_mutation(NAME account_only_first_payer_debited PROGRAM simulation_tests LIBRARY simulation FILE src/simulation/account_book.cc
  FIND "for (const AccountIndex payer : payers) spent_[payer] = spent_[payer] + cost;"
  REPLACE "if (!payers.empty()) spent_[payers.front()] = spent_[payers.front()] + cost;"
  TESTS "AccountBook.*")

# The accountants.
flaim_mutation(NAME zcdp_conversion_forgets_alpha PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/accountants/zcdp_accountant.cc
  FIND "const double moment = excess * (alpha * rho - epsilon);" REPLACE "const double moment = excess * (rho - epsilon);"
  TESTS "ZcdpAccountant.*")
flaim_mutation(NAME zcdp_conversion_loses_its_last_factor PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/accountants/zcdp_accountant.cc
  FIND "return moment - divisor + sharpening" REPLACE "return moment - divisor"
  TESTS "ZcdpAccountant.*")
flaim_mutation(NAME gaussian_separation_halved PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/accountants/gaussian_accountant.cc
  FIND "const long double half = 0.5L * mu.value();" REPLACE "const long double half = 0.25L * mu.value();"
  TESTS "GaussianAccountant.*")
flaim_mutation(NAME exact_accountant_rounds_inward PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/accountants/privacy_profile.cc
  FIND "std::min(1.0, value * (1 + kProfileSlack) + kUnderflowSlack)" REPLACE "value * (1 - 1e-6)"
  TESTS "ExactAccountant.*:PrivacyProfile.*")
flaim_mutation(NAME selection_loss_averaged_not_worst PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/accountants/privacy_profile.cc
  FIND "values_[index] = std::max(values_[index], MaximumOnCell(mean[index], next_mean, std::max(bulge, 0.0)));"
  REPLACE "values_[index] = (values_[index] + MaximumOnCell(mean[index], next_mean, std::max(bulge, 0.0))) / 2;"
  TESTS "ExactAccountant.*:PrivacyProfile.*")
flaim_mutation(NAME loss_without_its_mean PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/accountants/loss_distribution.cc
  FIND "return shift * (2 * static_cast<double>(value) + shift * moved) / (2 * variance);"
  REPLACE "return shift * 2 * static_cast<double>(value) / (2 * variance);"
  TESTS "LossDistribution.KeepsTheMeanOfTheInverseLikelihoodRatio:LossDistribution.OfDiscreteNoiseMeetsDirectEnumerationOnTheLattice")
flaim_mutation(NAME finer_noise_as_if_in_counts PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/accountants/loss_distribution.cc
  FIND "const auto shift = static_cast<double>(resolution);" REPLACE "const double shift = 1;"
  TESTS "LossDistribution.OfFinerNoiseMeetsDirectEnumerationOnTheLattice")
flaim_mutation(NAME sum_of_counts_as_one_where_it_is_not PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/accountants/loss_distribution.cc
  FIND "if (deviation > kMassSlack) {" REPLACE "if (false) {"
  TESTS "LossDistribution.OfDiscreteNoiseMeetsDirectEnumerationOnTheLattice:LossDistribution.OfManyCoordinatesComposesLikeTheirParts")
flaim_mutation(NAME loss_moved_to_the_lower_point PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/accountants/loss_distribution.cc
  FIND "const double to_lower = std::expm1(step - offset) / std::expm1(step);" REPLACE "const double to_lower = step > 0 && offset >= 0 ? 1 : 0;"
  TESTS "LossDistribution.KeepsTheMeanOfTheInverseLikelihoodRatio")
flaim_mutation(NAME continuous_loss_without_its_upper_half PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/accountants/loss_distribution.cc
  FIND "loss.mass[cell + 1] += static_cast<double>(std::max(to_upper, 0.0L) + slack * under_p);"
  REPLACE "loss.mass[cell] += static_cast<double>(std::max(to_upper, 0.0L) + slack * under_p);"
  TESTS "LossDistribution.*:ExactAccountant.IsNeverBelowTheAnalyticGaussian")
flaim_mutation(NAME shares_as_if_never_finer PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/accountants/loss_distribution.cc
  FIND "for (; units() * variance < kFineVariance; resolution *= 2) {" REPLACE "for (; resolution == 1; resolution *= 1024) {"
  TESTS "LossDistribution.OfEveryResolutionHasTheWorstOfThem:ExactAccountant.ChargesNoiseInSharesForTheWorstResolutionAtEachStep")
flaim_mutation(NAME shares_as_if_never_in_counts PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/accountants/loss_distribution.cc
  FIND "losses.push_back(DiscreteGaussianLoss(gaussian, lattice_step, resolution));" REPLACE ""
  TESTS "LossDistribution.OfEveryResolutionHasTheWorstOfThem:ExactAccountant.ChargesNoiseInSharesForTheWorstResolutionAtEachStep")
flaim_mutation(NAME best_resolution_not_worst PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/accountants/privacy_profile.cc
  FIND "worst[index] = std::max(worst[index], after[index]);" REPLACE "worst[index] = worst[index] == 0 ? after[index] : std::min(worst[index], after[index]);"
  TESTS "ExactAccountant.ChargesNoiseInSharesForTheWorstResolutionAtEachStep")
flaim_mutation(NAME grouping_forgets_equal_noise PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/accountants/exact_accountant.cc
  FIND "count += gaussian->sensitivity_squared;" REPLACE "count = gaussian->sensitivity_squared;"
  TESTS "ExactAccountant.MergesEqualNoiseWithoutChangingTheAnswer:ExactAccountant.MergesEqualNoiseAlsoAfterAnotherAndBeforeASelection")
flaim_mutation(NAME grouping_drops_what_is_too_large PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/accountants/exact_accountant.cc
  FIND "grouped.emplace_back(GaussianMechanism{gaussian->sigma_squared, std::exchange(count, 0)});" REPLACE "count = 0;"
  TESTS "ExactAccountant.SplitsAMergeThatWouldBeTooLarge")
flaim_mutation(NAME grouping_moves_noise_across_a_choice PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/accountants/exact_accountant.cc
  FIND "} else if (std::get<ExponentialMechanism>(step).epsilon.numerator() > 0) {"
  REPLACE "} else if (std::get<ExponentialMechanism>(step).epsilon.numerator() > 0) { grouped.push_back(step); } else if (false) {"
  TESTS "ExactAccountant.ChargesMoreWhenNoiseIsSeenBeforeTheChoice")
flaim_mutation(NAME grouping_adds_mus_not_their_squares PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/accountants/exact_accountant.cc
  FIND "sum_of_squares += mu->value() * mu->value();" REPLACE "sum_of_squares = std::max(sum_of_squares, mu->value() * mu->value());"
  TESTS "ExactAccountant.IsNeverBelowTheAnalyticGaussian")
flaim_mutation(NAME fraction_rounds_up_downwards PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/numbers/rational.cc
  FIND "return OnGrid(value, std::ceil);" REPLACE "return OnGrid(value, std::floor);"
  TESTS "Rational.RoundsOutwardByLessThanOnePartInTwoToThe29:ExactAccountant.ScalesNoiseToThePrivateSide")
flaim_mutation(NAME fraction_rounds_down_upwards PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/numbers/rational.cc
  FIND "return OnGrid(value, std::floor);" REPLACE "return OnGrid(value, std::ceil);"
  TESTS "Rational.RoundsOutwardByLessThanOnePartInTwoToThe29:ExactAccountant.ScalesNoiseToThePrivateSide")
flaim_mutation(NAME fraction_of_few_bits PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/numbers/rational.cc
  FIND "std::clamp(30 - exponent, 0, 40)" REPLACE "std::clamp(20 - exponent, 0, 40)"
  TESTS "Rational.RoundsOutwardByLessThanOnePartInTwoToThe29")
flaim_mutation(NAME fractions_compared_by_numerator PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/numbers/rational.cc
  FIND "return Product(numerator_, other.denominator_) <=> Product(other.numerator_, denominator_);"
  REPLACE "return ToDouble() < other.ToDouble() ? std::strong_ordering::less : ToDouble() > other.ToDouble() ? std::strong_ordering::greater : std::strong_ordering::equal;"
  TESTS "Rational.OrdersByValueEvenWhereDoublesCannot")

# Crashes.
flaim_mutation(NAME value_leaves_before_it_is_durable PROGRAM privacy_slow_tests LIBRARY privacy FILE src/privacy/release/release.cc
  FIND "RETURN_IF_ERROR(spend.Record(EncodeCounts(noisy.values), noisy.provenance));" REPLACE ""
  TESTS "LedgerCrash.*")
flaim_mutation(NAME second_release_after_a_crash PROGRAM privacy_slow_tests LIBRARY privacy FILE src/privacy/release/release.cc
  FIND "return NoisyCounts{.values = std::move(values), .provenance = spend.recorded_->provenance, .variance = variance};"
  REPLACE "DiscreteGaussian(spend.mechanism().sigma_squared).Add(noise, values); return NoisyCounts{.values = std::move(values), .provenance = noise.Provenance(), .variance = variance};"
  TESTS "LedgerCrash.*")

# Whose ledger it is: its accountant, its kind of noise, its rows, and that there is one.
flaim_mutation(NAME zcdp_total_not_held_against_the_promise PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/ledger/ledger_row.cc
  FIND "if (IsAffordedByZcdp(terms.total, terms.budget)) return absl::OkStatus();"
  REPLACE "return absl::OkStatus();"
  TESTS "LedgerAccountant.*")
flaim_mutation(NAME exact_ledger_spent_in_the_name_of_its_run PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/ledger/ledger_book.cc
  FIND "if (charge.run != plan_of_run_) return CheckSpendableByAll(file_.path(), state_.terms());"
  REPLACE "return CheckSpendableBy(charge.run, file_.path(), state_);"
  TESTS "LedgerAccountant.*:LedgerOfFormat1.*")
flaim_mutation(NAME exact_ledger_spent_by_everybody PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/ledger/ledger_book.cc
  FIND "RETURN_IF_ERROR(CheckMayPay(charge));"
  REPLACE ""
  TESTS "LedgerAccountant.*:LedgerOfFormat1.*")
flaim_mutation(NAME old_exact_ledger_taken_for_zcdp PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/ledger/ledger_state.cc
  FIND "if (terms.format == 1 && !IsAffordedByZcdp(terms.total, terms.budget)) terms_->exact_run = \"\";"
  REPLACE ""
  TESTS "LedgerOfFormat1.*")
flaim_mutation(NAME old_exact_ledger_of_a_fit_taken_for_a_plan PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/ledger/ledger_state.cc
  FIND "if (terms_->exact_run == \"\" && mechanisms_.empty() && IsNameOfStudy(debit.charge.run)) {"
  REPLACE "if (terms_->exact_run == \"\") {"
  TESTS "LedgerOfFormat1.*")
flaim_mutation(NAME old_exact_ledger_spent_on_after_others PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/ledger/ledger_book.cc
  FIND "if (state.SpentBy(plan_of_run) == state.spent()) return absl::OkStatus();"
  REPLACE "return absl::OkStatus();"
  TESTS "LedgerOfFormat1.*")
flaim_mutation(NAME shares_counted_as_one_draw PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/ledger/ledger_report.cc
  FIND "Step StepOf(const GaussianMechanism& mechanism) { return SplitGaussian{mechanism}; }"
  REPLACE "Step StepOf(const GaussianMechanism& mechanism) { return mechanism; }"
  TESTS "LedgerAccountant.*")
flaim_mutation(NAME equal_rounds_in_shares_planned_as_one_draw PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/equal.cc
  FIND "steps.push_back(StepOfSum({sigma_squared, marginals}, noise));"
  REPLACE "steps.push_back(StepOfSum({sigma_squared, marginals}, SumNoise::kWhole));"
  TESTS "Spending.AsksForTheNoiseThatKeepsThePromiseInShares")
flaim_mutation(NAME old_run_bound_to_whatever_rows_come_first PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/ledger/ledger_book.cc
  FIND "if (bound == nullptr && state_.HasReleasesOf(binding.run)) {"
  REPLACE "if (false) {"
  TESTS "LedgerBinding.*:LedgerOfFormat1.*")
flaim_mutation(NAME spending_not_held_against_the_promise PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/ledger/ledger_report.cc
  FIND "summary.is_within_promise = *delta <= budget.delta();"
  REPLACE "summary.is_within_promise = true;"
  TESTS "LedgerAccountant.*")
flaim_mutation(NAME secure_and_seeded_noise_share_a_ledger PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/ledger/ledger_book.cc
  FIND "RETURN_IF_ERROR(CheckSameNoise(file_.path(), state_, IsSecureProvenance(release.provenance)));"
  REPLACE ""
  TESTS "LedgerNoise.*")
flaim_mutation(NAME seeded_releases_counted_as_secure PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/ledger/ledger_state.cc
  FIND "++(IsSecureProvenance(release.provenance) ? secure_releases_ : seeded_releases_);"
  REPLACE "++secure_releases_;"
  TESTS "LedgerNoise.*")
flaim_mutation(NAME run_comes_back_for_any_rows PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/ledger/ledger_book.cc
  FIND "if (bound->digest == binding.digest) return absl::OkStatus();"
  REPLACE "return absl::OkStatus();"
  TESTS "LedgerBinding.*")
flaim_mutation(NAME seeded_counts_stamped_secure PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/release/release.cc
  FIND ".provenance = noise.Provenance(), .variance = variance};"
  REPLACE ".provenance = \"secure\", .variance = variance};"
  TESTS "LedgerNoise.*:ReleaseTest.*")
flaim_mutation(NAME seeded_choice_stamped_secure PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/release/release.cc
  FIND "RETURN_IF_ERROR(spend.Record(EncodeChoice(choice.index, scores.size()), choice.provenance));"
  REPLACE "RETURN_IF_ERROR(spend.Record(EncodeChoice(choice.index, scores.size()), \"secure\"));"
  TESTS "LedgerNoise.*:ReleaseTest.*")
flaim_mutation(NAME seeded_source_calls_itself_secure PROGRAM base_tests LIBRARY base FILE src/base/seeded_random_source.cc
  FIND "return fmt::format(\"seeded:{} (NOT PRIVATE)\", seed_);" REPLACE "return \"secure\";"
  TESTS "SeededRandomSource.*")
flaim_mutation(NAME model_not_stamped PROGRAM app_tests LIBRARY app FILE src/algorithms/loop/state.cc
  FIND "if (provenance_of_release.empty() || IsSecureProvenance(provenance_of_release)) return;" REPLACE "return;"
  TESTS "Aim.*")
flaim_mutation(NAME data_ledger_spends_what_is_a_studys PROGRAM app_tests LIBRARY app FILE src/app/ledger/data_ledger.cc
  FIND "RETURN_IF_ERROR(ledger->CheckSpendableByAll());"
  REPLACE ""
  TESTS "DataLedger.*")
flaim_mutation(NAME link_has_a_budget_of_its_own PROGRAM app_tests LIBRARY app FILE src/app/ledger/data_ledger.cc
  FIND "if (!fs::is_symlink(data, error)) return data;"
  REPLACE "return data;"
  TESTS "DataLedger.*")
flaim_mutation(NAME second_ledger_without_a_word PROGRAM app_tests LIBRARY app FILE src/app/ledger/data_ledger.cc
  FIND "if (has_file && !place.is_separate) RETURN_IF_ERROR(CheckIsOnlyLedger(place, chosen, registry));"
  REPLACE ""
  TESTS "DataLedger.*")
flaim_mutation(NAME streams_share_a_ledger PROGRAM app_tests LIBRARY app FILE src/app/ledger/data_ledger.cc
  FIND "const bool has_file = !place.data.empty() && !IsStream(place.data);"
  REPLACE "const bool has_file = !place.data.empty();"
  TESTS "DataLedger.*")
flaim_mutation(NAME digest_sees_single_columns_only PROGRAM app_tests LIBRARY app FILE src/app/ledger/run_binding.cc
  FIND "if (!rows.CountsAnyClique()) return cliques;"
  REPLACE "return cliques;"
  TESTS "RunBinding.*")
flaim_mutation(NAME digest_without_a_key PROGRAM app_tests LIBRARY app FILE src/app/ledger/run_binding.cc
  FIND "digest.Add(AsBytes(key));"
  REPLACE ""
  TESTS "RunBinding.*")
flaim_mutation(NAME copies_go_unnoticed PROGRAM app_tests LIBRARY app FILE src/app/ledger/ledger_registry.cc
  FIND "kManyOfThese = 0.9"
  REPLACE "kManyOfThese = 1.1"
  TESTS "LedgerRegistryTest.*")
flaim_mutation(NAME parts_go_unnoticed PROGRAM app_tests LIBRARY app FILE src/app/ledger/ledger_registry.cc
  FIND "const bool one_is_smaller = lines(one) <= lines(other);"
  REPLACE "const bool one_is_smaller = lines(one) > lines(other);"
  TESTS "LedgerRegistryTest.*")
flaim_mutation(NAME tables_in_databases_go_unnoticed PROGRAM app_tests LIBRARY app FILE src/app/ledger/ledger_registry.cc
  FIND ": known.Text(1) == name;"
  REPLACE ": false;"
  TESTS "LedgerRegistryTest.*")
flaim_mutation(NAME registry_for_everybody PROGRAM app_tests LIBRARY app FILE src/app/ledger/ledger_registry.cc
  FIND "if (!error) fs::permissions(folder, fs::perms::owner_all, error);"
  REPLACE ""
  TESTS "LedgerRegistryTest.*")
flaim_mutation(NAME second_ledger_elsewhere_without_a_word PROGRAM app_tests LIBRARY app
  FILE src/app/ledger/data_ledger.cc
  FIND "return is_known ? std::vector<std::string>() : *ledgers;"
  REPLACE "return {};"
  TESTS "DataLedger.*")
flaim_mutation(NAME refused_fits_are_remembered PROGRAM flaim LIBRARY cli FILE src/app/fit.cc
  FIND "RETURN_IF_ERROR(CheckLedgerCovers(settings.plan.spending->client_terms().allowance, fit.run(), fit.ledger_));"
  REPLACE ""
  SCRIPT tests/cli_ledger_test.py
  TESTS "CopiesTest.test_a_fit_that_its_ledger_refuses_is_not_remembered")
flaim_mutation(NAME fits_are_charged_nowhere PROGRAM app_tests LIBRARY app FILE src/app/fit.cc
  FIND "fit.other_ledgers_ = ChargeInRegistry(fit.account_.ledger, fit.account_.data, parallel);"
  REPLACE ""
  TESTS "PaidFitTest.*")
flaim_mutation(NAME fit_of_any_rows PROGRAM flaim LIBRARY cli FILE src/app/fit.cc
  FIND "RETURN_IF_ERROR(BindRun(fit.ledger_, fit.run(), *fit.account_.rows, parallel));"
  REPLACE ""
  SCRIPT tests/cli_ledger_test.py
  TESTS "RunOfOtherRowsTest.test_a_fit_does_not_come_back_for_other_rows")
flaim_mutation(NAME other_noise_refused_only_after_the_payment PROGRAM flaim LIBRARY cli FILE src/app/ledger/data_ledger.cc
  FIND "RETURN_IF_ERROR(ledger->CheckNoise(!is_seeded));"
  REPLACE ""
  SCRIPT tests/cli_ledger_test.py
  TESTS "SeededAccountTest.test_secure_and_seeded_noise_share_no_account")
flaim_mutation(NAME seeded_ledger_keeps_its_promise PROGRAM flaim LIBRARY cli FILE src/cli/commands/ledger_command.cc
  FIND "if (summary.seeded_releases > 0) {"
  REPLACE "if (false) {"
  SCRIPT tests/cli_ledger_test.py
  TESTS "SeededAccountTest.test_an_account_of_seeded_noise_is_not_private_and_says_so_to_scripts")
flaim_mutation(NAME measure_of_any_rows PROGRAM flaim LIBRARY cli FILE src/cli/commands/measure_command.cc
  FIND "RETURN_IF_ERROR(BindRun(ledger, flags.run, rows, parallel));"
  REPLACE ""
  SCRIPT tests/cli_ledger_test.py
  TESTS "RunOfOtherRowsTest.test_measured_marginals_do_not_come_back_for_other_rows")
flaim_mutation(NAME measure_stamps_seeded_noise_secure PROGRAM flaim LIBRARY cli FILE src/cli/commands/measure_command.cc
  FIND "if (!IsSecureProvenance(noisy.provenance) || provenance.empty()) provenance = noisy.provenance;"
  REPLACE "provenance = kSecureProvenance;"
  SCRIPT tests/cli_test.py
  TESTS "MeasureTest.test_seeded_noise_stamps_output_and_ledger")
flaim_mutation(NAME measure_begins_what_it_cannot_finish PROGRAM flaim LIBRARY cli FILE src/cli/commands/measure_command.cc
  FIND "RETURN_IF_ERROR(CheckAffordable(ledger, names, mechanism));"
  REPLACE ""
  SCRIPT tests/cli_test.py
  TESTS "MeasureTest.test_a_run_that_can_be_paid_for_in_part_only_is_refused_before_it_starts")
flaim_mutation(NAME measure_without_noise PROGRAM flaim LIBRARY cli FILE src/cli/commands/measure_command.cc
  FIND "ASSIGN_OR_RETURN(const NoisyCounts noisy, ReleaseGaussian(std::move(spend), marginal.counts(), *noise));"
  REPLACE "ASSIGN_OR_RETURN(NoisyCounts noisy, ReleaseGaussian(std::move(spend), marginal.counts(), *noise)); noisy.values.assign(marginal.counts().begin(), marginal.counts().end());"
  SCRIPT tests/cli_test.py
  TESTS "MeasureTest.test_noise_is_of_the_size_that_is_stated")

# One table: what is charged to its ledger, and what it compares with.
flaim_mutation(NAME aim_initialisation_charged_once PROGRAM app_tests LIBRARY app FILE src/one_table/one_table.cc
  FIND "ledger_.Debit(request.name, MechanismOf(request))"
  REPLACE "ledger_.Debit(request.name, GaussianMechanism{request.sigma_squared, 1})"
  TESTS "Aim.PaysForExactlyWhatTheScheduleSays")
flaim_mutation(NAME aim_score_sensitivity_halved PROGRAM app_tests LIBRARY app FILE src/one_table/one_table.cc
  FIND "ASSIGN_OR_RETURN(const ExponentialMechanism mechanism, MechanismOf(request));"
  REPLACE "ASSIGN_OR_RETURN(ExponentialMechanism mechanism, MechanismOf(request)); mechanism.sensitivity /= 2;"
  TESTS "Aim.PaysForExactlyWhatTheScheduleSays")
flaim_mutation(NAME aim_selects_without_noise PROGRAM app_tests LIBRARY app FILE src/one_table/one_table.cc
  FIND "ASSIGN_OR_RETURN(const NoisyChoice choice, ReleaseExponential(std::move(spend), scores, *noise_.For(request.name)));"
  REPLACE "const NoisyChoice choice{static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin()), noise_.For(request.name)->Provenance()};"
  TESTS "Aim.PaysForExactlyWhatTheScheduleSays")
flaim_mutation(NAME aim_true_total_in_scores PROGRAM app_tests LIBRARY app FILE src/one_table/one_table.cc
  FIND "ASSIGN_OR_RETURN(const ScaledDistance error, Distance({counts, request.expected(i)}));"
  REPLACE "std::vector<double> expected = request.expected(i); double rows = 0; double all = 0; for (const std::int64_t count : counts) rows += static_cast<double>(count); for (const double value : expected) all += value; for (double& value : expected) value *= rows / all; ASSIGN_OR_RETURN(const ScaledDistance error, Distance({counts, expected}));"
  TESTS "Aim.ComparesWithThePublicNumberOfRecords")
flaim_mutation(NAME aim_second_run_draws_again PROGRAM app_tests LIBRARY app FILE src/one_table/one_table.cc
  FIND "ASSIGN_OR_RETURN(Spend<GaussianMechanism> spend, ledger_.Debit(request.name, MechanismOf(request)));"
  REPLACE "static int asked = 0; ReleaseName name = request.name; name.query += std::to_string(++asked); ASSIGN_OR_RETURN(Spend<GaussianMechanism> spend, ledger_.Debit(name, MechanismOf(request)));"
  TESTS "Aim.GivesTheRecordedModelBackWithoutPayingAgain:Aim.PaysForExactlyWhatTheScheduleSays")
flaim_mutation(NAME aim_second_selection_draws_again PROGRAM app_tests LIBRARY app FILE src/one_table/one_table.cc
  FIND "ASSIGN_OR_RETURN(Spend<ExponentialMechanism> spend, ledger_.Debit(request.name, mechanism));"
  REPLACE "static int asked = 0; ReleaseName name = request.name; name.query += std::to_string(++asked); ASSIGN_OR_RETURN(Spend<ExponentialMechanism> spend, ledger_.Debit(name, mechanism));"
  TESTS "Aim.GivesTheRecordedModelBackWithoutPayingAgain")
flaim_mutation(NAME aim_begins_what_its_ledger_cannot_cover PROGRAM app_tests LIBRARY app FILE src/app/one_table_run.cc
  FIND "RETURN_IF_ERROR(CheckLedgerCovers(spending.client_terms().allowance, options.run, resources.ledger));" REPLACE ""
  TESTS "Aim.RefusesBeforeItPaysWhatTheLedgerCannotCover")
flaim_mutation(NAME aim_forgets_that_a_lost_debit_is_spent PROGRAM app_tests LIBRARY app FILE src/algorithms/spending/within_ledger.cc
  FIND "if (cost + selection + measurement <= left_) return round;" REPLACE "return round;"
  TESTS "Aim.StillEndsWithAModelWhenACrashHasLostADebit")
flaim_mutation(NAME only_the_last_round_is_held_against_the_ledger PROGRAM app_tests LIBRARY app FILE src/algorithms/spending/within_ledger.cc
  FIND "if (!round_ || !round_->sigma_squared) return round_;"
  REPLACE "if (!round_ || !round_->sigma_squared || !round_->is_last) return round_;"
  TESTS "Aim.StillEndsWithAModelWhenAnotherRunSpentTheRest")
flaim_mutation(NAME refusal_in_a_round_ends_the_run PROGRAM app_tests LIBRARY app FILE src/algorithms/loop/run.cc
  FIND "if (!IsBudgetRefusal(done)) return done;" REPLACE "return done;"
  TESTS "Aim.StillEndsWithAModelWhenTheLedgerRunsOutInTheMiddleOfARound")
flaim_mutation(NAME lost_one_ways_end_the_run PROGRAM app_tests LIBRARY app FILE src/app/one_table_run.cc
  FIND "if (ledger.HasDebit(OneWaysName(run, kInitialRound)) ||" REPLACE "if (KnowsRun(ledger, run) ||"
  TESTS "Aim.StillEndsWithAModelWhenACrashHasLostADebit")
flaim_mutation(NAME record_does_not_decide_what_a_round_taught PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/within_ledger.cc
  FIND "for (const bool answer : {improved, !improved})" REPLACE "for (const bool answer : {improved})"
  TESTS "WithinLedgerTest.*")
flaim_mutation(NAME aim_selection_not_charged PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/round_shape.cc
  FIND "add(ExponentialMechanism{round.epsilon});" REPLACE ""
  TESTS "SpendingOfAim.NeverExceedsItsAllowanceAndUsesHardlyLess")
flaim_mutation(NAME aim_plans_for_one_of_its_one_ways PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/round_shape.cc
  FIND "if (round.one_way_sigma_squared) add(GaussianMechanism{*round.one_way_sigma_squared, attributes_});"
  REPLACE "if (round.one_way_sigma_squared) add(GaussianMechanism{*round.one_way_sigma_squared, 1});"
  TESTS "SpendingOfAim.NeverExceedsItsAllowanceAndUsesHardlyLess:SpendingOfAim.ChargesTheOneWaysForEveryAttribute")
flaim_mutation(NAME annealed_rounds_are_not_paid_for PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/annealed.cc
  FIND "left_ = left_ - shape_.CostOfRound(*round_);" REPLACE "if (round_->is_last) left_ = left_ - shape_.CostOfRound(*round_);"
  TESTS "SpendingOfAim.NeverExceedsItsAllowanceAndUsesHardlyLess:AnnealedSpending.*")

# AIM's error bounds.
flaim_mutation(NAME bound_forgets_the_noise PROGRAM app_slow_tests LIBRARY app FILE src/algorithms/loop/error_bounds.cc
  FIND "const double bound = Distance(shares, model.total(), noisy.values) + NoiseNorm(cells, variance, excess);"
  REPLACE "const double bound = Distance(shares, model.total(), noisy.values);"
  TESTS "ErrorBounds.HoldAsOftenAsTheySay")
flaim_mutation(NAME bound_forgets_that_selection_is_noisy PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/loop/error_bounds.cc
  FIND "last.score_noise_records * (std::log(static_cast<double>(last.affordable.size())) + selection_excess);"
  REPLACE "last.score_noise_records * selection_excess;"
  TESTS "LastRoundBounds.HoldWhenABetterCandidateIsSelectedByChance")
flaim_mutation(NAME bound_trusts_the_selection_too_much PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/loop/error_bounds.cc
  FIND "(std::log(static_cast<double>(last.affordable.size())) + selection_excess);"
  REPLACE "std::log(static_cast<double>(last.affordable.size()));"
  TESTS "LastRoundBounds.HoldWhenABetterCandidateIsSelectedByChance")
flaim_mutation(NAME bound_forgets_the_last_noise PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/loop/error_bounds.cc
  FIND "last.sigma * std::sqrt(2 * selected_cells * noise_excess) +"
  REPLACE ""
  TESTS "LastRoundBounds.HoldWhenNoiseHidesAPartOfTheSelectedError")
flaim_mutation(NAME bound_forgets_the_penalty PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/loop/error_bounds.cc
  FIND "last.penalty_records_per_cell * cells + ScoreRounding(cells);"
  REPLACE "ScoreRounding(cells);"
  TESTS "LastRoundBounds.HoldForAMarginalWithManyMoreCellsThanTheSelectedOne")

# The port of the federation: what a client pays for each request.
flaim_mutation(NAME federated_counts_charged_for_one_marginal PROGRAM federation_tests LIBRARY federation FILE src/federation/requests.cc
  FIND "? request.cliques.size()" REPLACE "? std::size_t{1}"
  TESTS "MechanismOfCounts.PaysForEveryMarginal")
flaim_mutation(NAME federated_scores_charged_half PROGRAM federation_tests LIBRARY federation FILE src/federation/requests.cc
  FIND "SummedScoresSensitivitySquared(request.candidates.size())" REPLACE "SummedScoresSensitivitySquared(request.candidates.size()) / 2"
  TESTS "MechanismOfScores.PaysForEveryCandidate")
flaim_mutation(NAME summed_scores_move_further_than_paid PROGRAM simulation_tests LIBRARY simulation FILE src/federation/requests.cc
  FIND "SummedScoresSensitivitySquared(request.candidates.size())" REPLACE "SummedScoresSensitivitySquared(request.candidates.size()) / 2"
  TESTS "ClientAnswer.MovesItsSummedScoresByNoMoreThanItPaysFor")
flaim_mutation(NAME local_scores_charged_as_if_sizes_were_public PROGRAM federation_tests LIBRARY federation FILE src/federation/requests.cc
  FIND "? ShareScoreSensitivity(weights)" REPLACE "? ScoreSensitivity(weights)"
  TESTS "MechanismOfSelections.TakesTheLargestWeightAndWhatARecordMoves")
flaim_mutation(NAME local_choices_sharper_than_paid PROGRAM simulation_tests LIBRARY simulation FILE src/federation/requests.cc
  FIND "? ShareScoreSensitivity(weights)" REPLACE "? ScoreSensitivity(weights)"
  TESTS "ClientAnswer.ChoosesByTheExponentialMechanism")
flaim_mutation(NAME heterogeneity_not_charged PROGRAM federation_tests LIBRARY federation FILE src/federation/requests.cc
  FIND ": AugmentedShareScoreSensitivity(weights)" REPLACE ": ShareScoreSensitivity(weights)"
  TESTS "MechanismOfSelections.TakesTheLargestWeightAndWhatARecordMoves")
flaim_mutation(NAME client_chooses_a_candidate_twice PROGRAM simulation_tests LIBRARY simulation FILE src/federation/client_answer.cc
  FIND "left.erase(left.begin() + static_cast<std::ptrdiff_t>(choice.index));" REPLACE ""
  TESTS "ClientAnswer.NeverChoosesACandidateTwice")
flaim_mutation(NAME client_keeps_true_counts PROGRAM simulation_tests LIBRARY simulation FILE src/federation/client_answer.cc
  FIND "ASSIGN_OR_RETURN(const NoisyCounts noisy, ReleaseGaussian(std::move(spend), counts, noise));"
  REPLACE "const NoisyCounts noisy{counts, {}};"
  TESTS "ClientWithLocalSteps.LearnsNothingFromAMeasurementThatNoiseHides")

# The book of groups: who serves, and how often.
flaim_mutation(NAME group_cap_off_by_one PROGRAM federation_tests LIBRARY federation FILE src/federation/group_book.cc
  FIND "participations_[client] < rules_.participation_cap" REPLACE "participations_[client] <= rules_.participation_cap"
  TESTS "GroupBook.HasNobodyServeMoreOftenThanTheCap")
flaim_mutation(NAME federated_cap_off_by_one PROGRAM simulation_tests LIBRARY simulation FILE src/federation/group_book.cc
  FIND "participations_[client] < rules_.participation_cap" REPLACE "participations_[client] <= rules_.participation_cap"
  TESTS "SimulatedGroups.HaveEachClientUntilItsCapAndThenNoMore")
flaim_mutation(NAME pool_counts_a_client_twice PROGRAM federation_tests LIBRARY federation FILE src/federation/group_book.cc
  FIND "if (IsPool(request)) return !has_served_[client];" REPLACE "if (IsPool(request)) return true;"
  TESTS "GroupBook.AsksAndKeepsWhomTheRulesSayWhateverHappens")
flaim_mutation(NAME whoever_was_not_asked_may_come PROGRAM federation_tests LIBRARY federation FILE src/federation/group_book.cc
  FIND "if (!ascends || !std::includes(drawn_->candidates.begin(), drawn_->candidates.end(), came.begin(), came.end())) {" REPLACE "if (!ascends) {"
  TESTS "GroupBook.RefusesWhoeverWasNotAskedAndForgetsThatTheyCame")
flaim_mutation(NAME group_of_too_few_comes_together PROGRAM federation_tests LIBRARY federation FILE src/federation/group_book.cc
  FIND "std::ssize(candidates) < rules_.least_members" REPLACE "candidates.empty()"
  TESTS "GroupBook.AsksAndKeepsWhomTheRulesSayWhateverHappens")
flaim_mutation(NAME pool_cannot_wait_for_uploads PROGRAM federated_tests LIBRARY algorithms simulation evaluation partition FILE src/federation/group_book.cc
  FIND "if (request.is_initialisation && is_initialised_ && !IsPool(request)) {" REPLACE "if (request.is_initialisation && is_initialised_) {"
  TESTS "FederatedInput.MayDeferTheStartUntilAllHaveUploaded")

# The simulated federation: trust, whose rows are in a sum, and what may depend on rows.
flaim_mutation(NAME everybody_adds_to_what_some_chose PROGRAM simulation_tests LIBRARY simulation FILE src/simulation/simulated_federation.cc
  FIND "if (request.contributors == Contributors::kEverybody) return members_rows_;" REPLACE "return members_rows_;"
  TESTS "SimulatedFederation.SumsTheCountsOfChoosersOnly")
flaim_mutation(NAME client_adds_to_more_than_it_pays_for PROGRAM simulation_tests LIBRARY simulation FILE src/simulation/simulated_federation.cc
  FIND "if (++contributions[client] <= request.choices_per_client) continue;" REPLACE "continue;"
  TESTS "SimulatedFederation.RefusesMoreContributionsThanAClientPaysFor")
flaim_mutation(NAME trust_not_checked PROGRAM simulation_tests LIBRARY simulation FILE src/simulation/simulated_federation.cc
  FIND "if (!allowed) return" REPLACE "if (false) return"
  TESTS "SimulatedTrust.AllowsWhatItSaysAndNothingElse")
flaim_mutation(NAME not_private_without_an_insider PROGRAM federated_tests LIBRARY algorithms simulation evaluation partition datasets FILE src/algorithms/loop/run.cc
  FIND "if (!IsPrivate(run.method) && run.insider == nullptr) {" REPLACE "if (false) {"
  TESTS "FederatedInput.NeedsAnInsiderWhereAMethodIsNotPrivate")
flaim_mutation(NAME fit_told_what_is_paid_for_not_what_is_there PROGRAM simulation_tests LIBRARY simulation FILE src/simulation/simulated_federation.cc
  FIND ".variance = plan.VarianceOfCounts(static_cast<int>(members_.size()))," REPLACE ".variance = sigma_squared.ToDouble(),"
  TESTS "SplitNoise.HasTheVarianceThatItsPlanPromises")
flaim_mutation(NAME rounds_share_their_noise PROGRAM simulation_tests LIBRARY simulation FILE src/simulation/simulated_federation.cc
  FIND "Label(const ReleaseName& name) const { return name.ToString(); }" REPLACE "Label(const ReleaseName& name) const { return name.query; }"
  TESTS "SimulatedFederation.AddsNoiseOfTheSizeThatIsPaidFor")
flaim_mutation(NAME clients_share_their_noise PROGRAM simulation_tests LIBRARY simulation FILE src/simulation/simulated_federation.cc
  FIND "SeededRandomSource noise(options_.seed, SeedLabel(request.name, members_[member]));" REPLACE "SeededRandomSource noise(options_.seed, Label(request.name));"
  TESTS "SimulatedFederation.HasEachClientDrawNoiseOfItsOwn")
flaim_mutation(NAME clients_without_rows_stay_away PROGRAM federated_tests LIBRARY algorithms simulation evaluation partition FILE src/simulation/simulated_federation.cc
  FIND "const std::vector<ClientIndex> drawn, book_.Draw(request, random));"
  REPLACE "std::vector<ClientIndex> drawn, book_.Draw(request, random)); std::erase_if(drawn, [&](ClientIndex client) { return rows_[client].rows() == 0; });"
  TESTS "*NeighbouringTables.LeadToTheSameRunGivenTheSameReleases/*")
flaim_mutation(NAME message_as_long_as_the_table PROGRAM federated_tests LIBRARY algorithms simulation evaluation partition FILE src/simulation/simulated_federation.cc
  FIND "WireSizes::kSummedEntry * cells" REPLACE "WireSizes::kSummedEntry * static_cast<std::int64_t>(members_rows_.rows())"
  TESTS "*NeighbouringTables.LeadToTheSameRunGivenTheSameReleases/*")

# How federated methods spend a client's allowance.
flaim_mutation(NAME federated_initialisation_not_charged PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/equal.cc
  FIND "const double marginals_paid = shape_.one_ways_at_first() + " REPLACE "const double marginals_paid = "
  TESTS "Spending.AsksNoClientForMoreThanTheBudgetAndHardlyLess")
flaim_mutation(NAME federated_rounds_charged_once PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/equal.cc
  FIND "is_capped ? std::min(rounds, method.participation_cap) : rounds;" REPLACE "1;"
  TESTS "Spending.AsksNoClientForMoreThanTheBudgetAndHardlyLess")
flaim_mutation(NAME federated_terms_allow_one_group_more PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/equal.cc
  FIND "is_capped ? method.participation_cap : kNoCap" REPLACE "is_capped ? method.participation_cap + 1 : kNoCap"
  TESTS "Spending.AsksNoClientForMoreThanTheBudgetAndHardlyLess")
flaim_mutation(NAME local_measurement_not_charged PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/round_shape.cc
  FIND "measured_ += method.local_steps - 1;" REPLACE "measured_ += 0;"
  TESTS "Spending.PaysForLocalMeasurementsOnlyWhereTheyHappen")
flaim_mutation(NAME participation_cap_ignored PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/participation.cc
  FIND "allowance_.ToDouble() / participations_" REPLACE "allowance_.ToDouble()"
  TESTS "Spending.AsksNoClientForMoreThanTheBudgetAndHardlyLess")
flaim_mutation(NAME pool_pays_for_one_round PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/participation.cc
  FIND "method.membership == Membership::kPool ? plan_.rounds" REPLACE "method.membership == Membership::kPool ? 1"
  TESTS "Spending.SpreadsAPoolOverAllRounds")
flaim_mutation(NAME more_is_chosen_than_paid_for PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/participation.cc
  FIND "round.choices = choices / round.selections;" REPLACE "round.choices = most;"
  TESTS "Spending.ChoosesAsManyMarginalsAsPlannedAndNeverMore")
flaim_mutation(NAME exact_floor_is_not_tried PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/accountants/exact_accountant.cc
  FIND "return enough >= least ? enough : FirstThatFits(steps, least, budget);" REPLACE "return std::max(enough, least);"
  TESTS "ExactAccountant.TriesTheLeastScaleBeforeItReturnsIt")
flaim_mutation(NAME exact_plan_stands_on_a_peak PROGRAM algorithms_slow_tests LIBRARY algorithms FILE src/algorithms/spending/participation.cc
  FIND "ASSIGN_OR_RETURN(const double scale, CalibrateNoise(StepsOf(known, round), budget_, SigmaShareOfZcdp(budget_)));"
  REPLACE "ASSIGN_OR_RETURN(double scale, CalibrateNoise(StepsOf(known, round), budget_)); scale = std::max(scale, SigmaShareOfZcdp(budget_));"
  TESTS "ExactParticipation.KeepsItsPromiseWithTheVeryNoiseOfEachPlan")
flaim_mutation(NAME exact_plan_of_shares_as_if_whole PROGRAM algorithms_slow_tests LIBRARY algorithms FILE src/algorithms/spending/parts.cc
  FIND "if (noise == SumNoise::kSplit) return SplitGaussian{sum};" REPLACE ""
  TESTS "ExactParticipation.KeepsItsPromiseWithNoiseInSharesOfAnyResolution")
flaim_mutation(NAME plan_takes_more_noise PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/participation_check.cc
  FIND "return next.sigma_squared == round->sigma_squared ?" REPLACE "return next.sigma_squared >= *round->sigma_squared ?"
  TESTS "ParticipationCheckTest.RefusesAnyOtherNoise")
flaim_mutation(NAME plan_takes_more_noise_in_one_ways PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/participation_check.cc
  FIND "return next.sigma_squared == round->one_way_sigma_squared ?" REPLACE "return next.sigma_squared >= *round->one_way_sigma_squared ?"
  TESTS "ParticipationCheckTest.RefusesAnyOtherNoise")
flaim_mutation(NAME plan_goes_on_with_another_round PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/participation_check.cc
  FIND "if (request.round_marginals != next.round_marginals) return NotPlanned(\"the round has changed on the way\");" REPLACE ""
  TESTS "ParticipationCheckTest.RefusesToGoOnWithAnotherRound")
flaim_mutation(NAME plan_takes_marginals_in_pieces PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/participation_check.cc
  FIND "if (!IsOneWays(request)) return NotPlanned(\"the marginals come last, and in one sum\");" REPLACE ""
  TESTS "ParticipationCheckTest.RefusesOtherSumsThanTheOneWaysAndThenTheMarginals")
flaim_mutation(NAME exact_accountant_forgets_a_round PROGRAM algorithms_slow_tests LIBRARY algorithms FILE src/algorithms/spending/equal.cc
  FIND "round_ && i < rounds_paid" REPLACE "round_ && i < (rounds_paid + 1) / 2"
  TESTS "ExactSpending.KeepsItsPromiseForEqualRounds")
flaim_mutation(NAME chosen_marginals_charged_once PROGRAM federated_tests LIBRARY algorithms simulation evaluation partition FILE src/algorithms/loop/measuring.cc
  FIND "run.method.local_steps," REPLACE "1,"
  TESTS "*NeighbouringTables.LeadToTheSameRunGivenTheSameReleases/local_steps")

# The statistics of the algorithms: no privacy is lost by these, but utility.
flaim_mutation(NAME rows_from_sums_that_all_count_the_same PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/loop/released_marginals.cc
  FIND "const double weight = 1 / (released.measured.variance * static_cast<double>(released.measured.values.size()));"
  REPLACE "const double weight = 1;"
  TESTS "RowsPerClient.AreRightOnAverageAndAsPreciseAsLeastSquares:RowsPerClient.AreWhereTheWeightedSquaresAreLeast")
flaim_mutation(NAME dropout_in_a_sum_is_not_scaled_for PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/loop/released_marginals.cc
  FIND "group.members = noisy.contributors;" REPLACE ""
  TESTS "RowsOfAGroup.AreThoseOfWhoIsInTheSum")
flaim_mutation(NAME scores_of_dropouts_are_missing PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/selection/summed_scores.cc
  FIND "/ kSummedScoreScale * group_for_sum;" REPLACE "/ kSummedScoreScale + 0 * group_for_sum;"
  TESTS "SummedScores.AreScaledForThoseWhoDroppedOut")
flaim_mutation(NAME rows_of_choosers_taken_for_the_groups PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/loop/released_marginals.cc
  FIND "if (released.contributors == Contributors::kEverybody) {" REPLACE "{"
  TESTS "RowsPerClient.LearnNothingFromThoseWhoChose")
flaim_mutation(NAME choosers_weighed_as_the_whole_group PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/loop/released_marginals.cc
  FIND "return std::clamp(released.Sum(), std::min(RowsPerClient(), most), most);" REPLACE "return most;"
  TESTS "WeightedBySize.TakesChoosersForAsManyAsTheirSumSaysWithinTheGroup")
flaim_mutation(NAME noise_not_scaled_with_the_counts PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/loop/released_marginals.cc
  FIND "measurement.variance *= scale * scale;" REPLACE "measurement.variance *= scale;"
  TESTS "WeightedBySize.*")
flaim_mutation(NAME difference_of_a_marginal_for_that_of_a_cell PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/loop/released_marginals.cc
  FIND "BetweenGroupsOf(clique, between_groups) / cells" REPLACE "BetweenGroupsOf(clique, between_groups)"
  TESTS "WeightedByHeterogeneity.*")
flaim_mutation(NAME noise_taken_for_differences PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/loop/pooling.cc
  FIND "(squares - noise) /" REPLACE "squares /"
  TESTS "VarianceBetween.*")
flaim_mutation(NAME differences_with_a_degree_of_freedom_too_many PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/loop/pooling.cc
  FIND "(groups.size() - 1) * cells" REPLACE "groups.size() * cells"
  TESTS "VarianceBetween.IsRightOnAverage:VarianceBetween.IsZeroAsOftenAsNoiseIsBelowItsMean")
flaim_mutation(NAME differences_without_their_correction PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/loop/pooling.cc
  FIND "(precision - squared_precision / precision)" REPLACE "precision"
  TESTS "VarianceBetween.IsRightOnAverage")
flaim_mutation(NAME pooled_without_regard_to_population PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/loop/pooling.cc
  FIND "(h * group.population + lambda) / (group.Variance() + h)" REPLACE "(1 / free) / (group.Variance() + h)"
  TESTS "Pool.HasTheWeightsThatSolveLagrangesEquations")
flaim_mutation(NAME pooled_variance_of_noise_alone PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/loop/pooling.cc
  FIND " + h * std::pow(weight - group.population, 2)" REPLACE ""
  TESTS "Pool.ErrsByAsMuchAsItSays")
flaim_mutation(NAME pooled_variance_without_who_was_away PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/loop/pooling.cc
  FIND "pooled.variance += h * std::max(0.0, 1 - seen) * seen / static_cast<double>(groups.size());" REPLACE ""
  TESTS "Pool.ErrsByAsMuchAsItSays")
flaim_mutation(NAME noise_taken_for_a_pairs_error PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/selection/watched_pair.cc
  FIND "(residual * residual - pair.variance)" REPLACE "(residual * residual)"
  TESTS "EstimatedError.FindsTauWhateverTheShares")
flaim_mutation(NAME doubt_added_to_a_pairs_error PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/selection/watched_pair.cc
  FIND "- kDoubt * pair.variance" REPLACE "+ kDoubt * pair.variance"
  TESTS "EstimatedError.OfNothingButNoiseIsNothingAsOftenAsTwoStandardDeviationsPromise")
flaim_mutation(NAME empty_cells_as_good_as_full_ones PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/selection/watched_pair.cc
  FIND "excess += shares[cell] * (residual" REPLACE "excess += (residual"
  TESTS "EstimatedError.*")
flaim_mutation(NAME few_groups_taken_for_all PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/selection/watched_pair.cc
  FIND "std::max(0.0, 1 / groups - 1 / rounds)" REPLACE "1 / groups"
  TESTS "SamplingVariance.*")
flaim_mutation(NAME later_groups_noisier_than_they_are PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/selection/watched_pair.cc
  FIND "watched_variance * plan.marginals / static_cast<double>(watched)" REPLACE "watched_variance * static_cast<double>(watched) / plan.marginals"
  TESTS "NoiseOfPairAtTheEnd.*")
flaim_mutation(NAME pairs_chosen_whatever_their_noise PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/selection/noisy_sums.cc
  FIND "(error - run.method.noise_penalty * noise)" REPLACE "error"
  TESTS "NoisySums.AreChosenFromAsLongAsAPairIsWorthItsNoise")
flaim_mutation(NAME pairs_chosen_whatever_their_cells PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/selection/noisy_sums.cc
  FIND "if (size.CellsWith(pair.query.clique) > static_cast<double>(run.options.max_model_cells)) continue;" REPLACE ""
  TESTS "NoisySums.NeverMakeTheModelLargerThanItMayBe")
flaim_mutation(NAME pairs_chosen_by_the_first_model_alone PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/selection/noisy_sums.cc
  FIND "RETURN_IF_ERROR(state.Refit(run, run.options.round_fit));" REPLACE ""
  TESTS "NoisySums.ShowNothingNewOnceTheModelHasIt")
flaim_mutation(NAME candidates_without_their_penalty PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/selection/candidates.cc
  FIND "const double sigma = run.method.noise_penalty * NoiseAtTheEnd" REPLACE "const double sigma = 0 * NoiseAtTheEnd"
  TESTS "FindCandidates.*")
flaim_mutation(NAME candidates_as_if_no_group_were_left PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/selection/candidates.cc
  FIND " / std::sqrt(groups_left)" REPLACE ""
  TESTS "FindCandidates.HoldsTheNoiseAgainstThemThatIsLeftWhenAllGroupsHaveMeasured")
flaim_mutation(NAME choices_that_do_not_fit_together PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/selection/candidates.cc
  FIND "if (size.CellsWith(clique) > static_cast<double>(run.options.max_model_cells)) continue;" REPLACE ""
  TESTS "SelectorAmongCandidates.LeavesOutChoicesThatDoNotFitTogether")
flaim_mutation(NAME group_compared_with_all_records PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/selection/score_of_counts.cc
  FIND "for (double& value : expected) value *= rows;" REPLACE "for (double& value : expected) value *= state.model->total();"
  TESTS "ScoreOfCounts.ComparesWithWhatTheModelExpectsOfTheGroup")
flaim_mutation(NAME summed_scores_without_their_penalty PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/selection/summed_scores.cc
  FIND "(error - candidates[i].penalty_records)" REPLACE "error"
  TESTS "SummedScores.*")
flaim_mutation(NAME local_choices_without_their_penalty PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/selection/local.cc
  FIND "request.penalty_records = PenaltiesOf(candidates);" REPLACE "request.penalty_records.assign(candidates.size(), 0);"
  TESTS "LocalSelector.TellsClientsTheCandidatesTheModelAndTheNoise")

# Secure aggregation: what keeps a lying server from more than the sum.
flaim_mutation(NAME survivors_need_no_agreement PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/confirmations.cc
  FIND "if (signatures < set.quorum) {" REPLACE "if (true) return absl::OkStatus(); if (signatures < set.quorum) {"
  TESTS "SurvivorAgreement.NeverYieldsBothKindsOfShareHoweverTwoStoriesAreSplit")
flaim_mutation(NAME one_confirmation_is_enough PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/confirmations.cc
  FIND "if (signatures < set.quorum) {" REPLACE "if (signatures < 1) {"
  TESTS "SurvivorAgreement.NeverYieldsBothKindsOfShareHoweverTwoStoriesAreSplit")
flaim_mutation(NAME confirmations_by_colluders_count PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/graph/graph_parameters.cc
  FIND "return (participants + colluders) / 2;" REPLACE "return participants / 2 + 0 * colluders;"
  TESTS "SurvivorAgreement.NeverYieldsBothKindsOfShareHoweverTwoStoriesAreSplit")
flaim_mutation(NAME as_many_as_the_threshold_confirm PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/secure_client.cc
  FIND ".quorum = QuorumOf(participants, me_.agreed.bounds.colluders, me_.agreed.committee)},"
  REPLACE ".quorum = me_.agreed.graph.threshold},"
  TESTS "SurvivorAgreement.IsOneForAllOfACircleHoweverItsArcsAreToldDifferentStories")
flaim_mutation(NAME half_a_committee_is_a_quorum PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/graph/committee.cc
  FIND "return 7 * committee / 10 + 1;" REPLACE "return committee / 2;"
  TESTS "Committee.*")
flaim_mutation(NAME confirmations_are_not_verified PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/confirmations.cc
  FIND "if (!IsSignedBy(roster.KeyOf(entry.from), set.digest, entry.signature)) {" REPLACE "if (false) {"
  TESTS "SurvivorAgreement.LetsNobodyUnmaskWhenHalfAreToldThatOneVanished")
flaim_mutation(NAME sum_of_too_few_is_confirmed PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/secure_client.cc
  FIND "if (count < me_.agreed.bounds.LeastSurvivors()) {" REPLACE "if (false) {"
  TESTS "SurvivorSet.OfTooFewIsRefused")
flaim_mutation(NAME survivor_without_shares_is_believed PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/neighbourhood.cc
  FIND "if (!neighbour.has_shared) {" REPLACE "if (false) {"
  TESTS "SurvivorSet.WithSomebodyWhoNeverSentSharesIsRefused")
flaim_mutation(NAME no_own_mask PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/secure_client.cc
  FIND "masked.Apply(me_.agreed.cipher, OwnMaskSeed(seed_, key_list_), MaskSign::kAdd);" REPLACE ""
  TESTS "FeignedDropout.LeavesTheVictimsVectorUnderItsOwnMask")
flaim_mutation(NAME no_masks_in_common PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/secure_client.cc
  FIND "RETURN_IF_ERROR(neighbours_->Mask(*mask_key_, me_.agreed.cipher, masked));" REPLACE ""
  TESTS "SurvivorsVector.StaysUnderThePairMasksThoughItsSeedIsGivenAway")
flaim_mutation(NAME neighbours_keys_need_no_signature PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/neighbourhood.cc
  FIND "if (!IsSignedBy(roster.KeyOf(listed.id), digest, advertisement.signature)) {" REPLACE "if (false) {"
  TESTS "SwappedKeys.ThatTheServerSignedItselfAreRefused")
flaim_mutation(NAME offer_needs_no_signature PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/participation.cc
  FIND "if (!IsSignedBy(participation.roster.server_key(), DigestOf(session, offer), offer.signature)) {" REPLACE "if (false) {"
  TESTS "HostileOffer.ThatIsSignedByAParticipantIsRefused")
flaim_mutation(NAME masks_not_bound_to_the_model PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/session_keys.cc
  FIND "DeriveKey32(agreed, key_list, Purpose(\"flaim pair mask\"" REPLACE "DeriveKey32(agreed, Digest{}, Purpose(\"flaim pair mask\""
  TESTS "ModelBinding.GivesMasksThatDoNotCancelBetweenDifferentModels")
flaim_mutation(NAME neighbours_may_answer_another_offer PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/neighbourhood.cc
  FIND "if (advertisement.offer != offer) {" REPLACE "if (false) {"
  TESTS "DifferentModels.AreNoticedByNeighboursBeforeAnyCountsAreAsked")
flaim_mutation(NAME terms_are_not_compared PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/participation.cc
  FIND "if (!(offer.terms == participation.agreed)) {" REPLACE "if (false) {"
  TESTS "HostileOffer.ThatDiffersFromTheAgreedTermsIsRefusedByNamingTheTerm")
flaim_mutation(NAME session_answered_twice PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/participation.cc
  FIND "return surroundings.answered.Begin(session);" REPLACE "return absl::OkStatus();"
  TESTS "HostileServer.CannotReplayASessionToAParticipantThatWasStartedAgain")
flaim_mutation(NAME stage_answered_twice PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/secure_client.cc
  FIND "if (stage_ > stage) return absl::AlreadyExistsError(\"this stage was answered, and is not answered twice\");" REPLACE ""
  TESTS "HostileServer.GetsNoSecondAnswerForAnotherMessageOfAStage")
flaim_mutation(NAME shares_of_the_wrong_kind PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/neighbourhood.cc
  FIND "entry.share = std::move(is_survivor ? neighbour.seed_share : neighbour.mask_key_share);"
  REPLACE "entry.share = std::move(neighbour.mask_key_share);"
  TESTS "SecureTranscript.HoldsSharesOnlyOfTheRightKindAndOnlyAtTheEnd")
flaim_mutation(NAME low_order_keys_are_taken PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/crypto/key_agreement.cc
  FIND "other.data()) != 0) {" REPLACE "other.data()) == 7) {"
  TESTS "LowOrderKeys.*:HostileParticipant.WhoAdvertisesALowOrderKeyIsLeftOut")
flaim_mutation(NAME recovered_secrets_are_believed PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/mask_removal.cc
  FIND "if (combined.ok() && IsGenuine(rank, *combined)) {" REPLACE "if (combined.ok()) {"
  TESTS "HostileParticipant.NeverMakesAWrongSumByWrongShares")
flaim_mutation(NAME rounding_adds_no_noise PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/noise/noise_plan.cc
  FIND "return VarianceOf(contributors) + (units * units + 2) / (12 * units * units);" REPLACE "return VarianceOf(contributors) + 0 * units;"
  TESTS "NoisePlan.TellsTheVarianceOfItsCounts")
flaim_mutation(NAME hair_is_a_whole_unit PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/noise/noise_plan.cc
  FIND "while (2 * numerator < Rational::kMaxTerm && 2 * denominator <= Rational::kMaxTerm) {" REPLACE "while (false) {"
  TESTS "WithPriceOfSplitting.IsAHairHoweverTheFractionIsWritten")
flaim_mutation(NAME noise_split_over_the_invited PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/noise/noise_plan.cc
  FIND "return Split(sigma_squared, static_cast<int>(honest));" REPLACE "return Split(sigma_squared, bounds.invited);"
  TESTS "Noise.AfterTheWorstDropoutAndWithoutTheColludersShareIsWhatWasPromised")
flaim_mutation(NAME counts_asked_before_masks_are_made PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/secure_client.cc
  FIND "RingVector masked(me_.agreed.ring_bits, EntriesOf(me_.agreed));"
  REPLACE "RingVector masked(me_.agreed.ring_bits, EntriesOf(me_.agreed)); (void)AddContribution(me_.agreed, session_, me_.contribution, 0, surroundings_.random, masked);"
  TESTS "LowOrderKeys.ForMasksEndTheSessionBeforeCountsAreAsked:HostileServer.GetsOneAnswerAStageWhateverItSendsAgain")

# A site of a networked study: what it gives whatever the coordinator asks.
flaim_mutation(NAME site_cap_off_by_one PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/site_account.cc
  FIND "records_.RoundsServed() >= study_.plan.terms().participation_cap" REPLACE "records_.RoundsServed() > study_.plan.terms().participation_cap"
  TESTS "SiteAccount.ServesInAsManyRoundsAsItsCapAndNotInOneMore")
flaim_mutation(NAME site_budget_not_checked PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/site_account.cc
  FIND "if (cost <= ledger_.left()) return absl::OkStatus();" REPLACE "return absl::OkStatus();"
  TESTS "SiteAccount.GivesNoMoreThanItsLedgerHolds")
flaim_mutation(NAME site_drained_beyond_its_consent PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/site_account.cc
  FIND "if (in_study > study_.plan.terms().allowance) {" REPLACE "if (false) {"
  TESTS "SiteAccount.GivesNoMoreThanTheStudyMayCostHoweverMuchTheLedgerHolds")
flaim_mutation(NAME site_does_not_check_the_exact_plan PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/site_account.cc
  FIND "if (round_check_ && counts != nullptr) return round_check_->Check(records_.CountedIn(round), *counts);" REPLACE ""
  TESTS "SiteAccount.HoldsEachRoundAgainstThePlanWhereTheNoiseIsExact")
flaim_mutation(NAME site_initialises_beside_an_exact_plan PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/site_account.cc
  FIND "if (round_check_) return NotAgreed(\"the plan has no initialisation\");" REPLACE ""
  TESTS "SiteAccount.TakesNoSecondRoundForAnInitialisationWhereTheNoiseIsExact")
flaim_mutation(NAME plan_lets_one_ways_pass_twice PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/participation_check.cc
  FIND "if (IsOneWays(next)) return NotPlanned(\"the one-way marginals are measured once\");" REPLACE ""
  TESTS "ParticipationCheckTest.RefusesTheOneWaysASecondTime")
flaim_mutation(NAME plan_forgets_what_was_asked_before PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/participation_check.cc
  FIND "for (const CountsRequest& request : before) {" REPLACE "for (const CountsRequest& request : std::vector<CountsRequest>()) {"
  TESTS "ParticipationCheckTest.RefusesToGoOnWithAnotherRound:ParticipationCheckTest.RefusesTheOneWaysASecondTime")
flaim_mutation(NAME plan_counts_requests_for_marginals PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/participation_check.cc
  FIND "if (std::ssize(next.cliques) > next.round_marginals)" REPLACE "if (next.cliques.empty())"
  TESTS "ParticipationCheckTest.RefusesMoreMarginalsThanTheNoiseIsFor")
flaim_mutation(NAME plan_takes_a_few_one_ways_for_all PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/participation_check.cc
  FIND "return std::ssize(request.cliques) == attributes_ &&" REPLACE "return"
  TESTS "ParticipationCheckTest.TakesSingleColumnsForMarginalsUnlessTheyAreAll")
flaim_mutation(NAME plan_covers_several_participations PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/spending/participation_check.cc
  FIND "method.participation_cap == 1 && method.membership == Membership::kPresent;" REPLACE "method.membership == Membership::kPresent;"
  TESTS "ParticipationCheck.CoversMethodsThatReleaseCountsInOneParticipation")
flaim_mutation(NAME site_counts_what_nobody_consented_to PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/site_account.cc
  FIND "RETURN_IF_ERROR(CheckMarginals(request));" REPLACE ""
  TESTS "SiteAccount.CountsOnlyWhatTheWorkloadThatItConsentedToAsksFor:SiteAccount.ChoosesOnlyAmongMarginalsOfItsWorkloadWithThePlansWeights")
flaim_mutation(NAME site_chooses_by_any_weights PROGRAM runtime_site_tests LIBRARY runtime_site runtime_study FILE src/runtime/study/agreed_marginals.cc
  FIND "return agreed != weights_.end() && agreed->second == candidate.weight;" REPLACE "return agreed != weights_.end();"
  TESTS "SiteAccount.ChoosesOnlyAmongMarginalsOfItsWorkloadWithThePlansWeights")
flaim_mutation(NAME site_pays_for_an_attempt_once_for_all PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/site_account.cc
  FIND "if (request.attempt > 1) name.query = fmt::format(\"{}, attempt {}\", name.query, request.attempt);" REPLACE ""
  TESTS "SiteAccount.PaysForEachAttemptAndForNoneTwice")
flaim_mutation(NAME site_serves_another_method PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/site_account.cc
  FIND "RETURN_IF_ERROR(CheckMethod(request));" REPLACE ""
  TESTS "SiteAccount.RefusesRequestsOfAnotherStudy:SiteAccount.GivesOnlyTheKindsThatItsMethodHas")
flaim_mutation(NAME site_adds_to_more_than_it_pays_for PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/site_account.cc
  FIND "contributions > counts->choices_per_client" REPLACE "false"
  TESTS "SiteAccount.AddsToNoMoreMarginalsThanItIsAskedToPayFor")
flaim_mutation(NAME site_makes_more_choices_than_its_method PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/site_account.cc
  FIND "if (local->steps > method.local_steps) return NotAgreed(\"more choices than the method makes\");" REPLACE ""
  TESTS "SiteAccount.MakesNoMoreChoicesThanItsMethod")
flaim_mutation(NAME site_gives_before_anybody_saw_the_roster PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/roster_consent.cc
  FIND "if (is_any || known == 0 || roster == of_roster) return absl::OkStatus();" REPLACE "return absl::OkStatus();"
  TESTS "RosterConsent.IsToOneRosterOrToAnyOrIsNotNeeded:SiteAgent.AddsToNothingBeforeSomebodyHasConsentedToTheRoster")
flaim_mutation(NAME site_takes_a_welcome_for_a_consent PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/site_agent.cc
  FIND "RETURN_IF_ERROR(CheckConsent());" REPLACE ""
  TESTS "SiteAgent.AddsToNothingBeforeSomebodyHasConsentedToTheRoster")
flaim_mutation(NAME site_counts_on_those_who_may_drop_out PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/roster_consent.cc
  FIND "const int away = roster_size - bounds.invited + bounds.dropouts;" REPLACE "const int away = roster_size - bounds.invited;"
  TESTS "StandsInFor.MakesUpForEverybodyWhomTheSiteDoesNotKnowWhateverTheCoordinatorDoes")
flaim_mutation(NAME site_counts_on_those_who_were_not_invited PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/roster_consent.cc
  FIND "const int away = roster_size - bounds.invited + bounds.dropouts;" REPLACE "const int away = bounds.dropouts;"
  TESTS "StandsInFor.MakesUpForEverybodyWhomTheSiteDoesNotKnowWhateverTheCoordinatorDoes")
flaim_mutation(NAME site_draws_its_own_share_only PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/sum_answer.cc
  FIND ".stands_in_for = stands_in_for," REPLACE ".stands_in_for = 0,"
  TESTS "SiteAgent.DrawsTheNoiseOfThoseWhomItDoesNotKnow")
flaim_mutation(NAME contributor_stands_in_for_nobody PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/contribution.cc
  FIND "AddShares(1 + stands_in_for, noise" REPLACE "AddShares(1, noise"
  TESTS "ContributionTest.OfOneWhoStandsInForOthersHasTheirNoise")
flaim_mutation(NAME counts_beyond_the_bound_go_into_the_sum PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/contribution.cc
  FIND "return std::clamp(count, -terms.entry_bound, terms.entry_bound);" REPLACE "return count;"
  TESTS "ContributionTest.WithACountBeyondTheBoundIsTheBound")
flaim_mutation(NAME counts_go_into_the_sum_without_noise PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/contribution.cc
  FIND "AddNoise(terms, stands_in_for, noise, stacked.values);" REPLACE ""
  TESTS "ContributionTest.OfPaidCountsIsAddedWithTheNoiseOfTheTerms:ContributionTest.OfOneWhoStandsInForOthersHasTheirNoise")
flaim_mutation(NAME contribution_of_another_size PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/contribution.cc
  FIND "if (blocks[block].size() == terms.blocks[block].entries) continue;" REPLACE "continue;"
  TESTS "ContributionTest.OfAnotherSizeThanTheTermsHaveIsRefused")
flaim_mutation(NAME site_takes_a_fresh_ledger_in_the_middle PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/site_account.cc
  FIND "if (i + 1 < served.size()) {" REPLACE "if (false) {"
  TESTS "SiteAccount.NoticesALedgerThatDidNotPayForAllThatWasGiven")
flaim_mutation(NAME site_takes_records_that_lack_a_payment PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/site_account.cc
  FIND "if (ledger_.SpentBy(study_.manifest.id) <= known) return absl::OkStatus();" REPLACE "return absl::OkStatus();"
  TESTS "SiteAccount.NoticesRecordsThatDoNotKnowOfAPayment")
flaim_mutation(NAME site_makes_a_new_ledger_in_the_middle PROGRAM runtime_programs_tests LIBRARY runtime_programs FILE src/runtime/programs/site_program.cc
  FIND "if (records.HasServed()) {" REPLACE "if (false) {"
  TESTS "SiteProgramTest.MakesNoNewLedgerAfterItHasContributed")
flaim_mutation(NAME site_does_not_compare_its_books PROGRAM runtime_programs_tests LIBRARY runtime_programs FILE src/runtime/programs/site_program.cc
  FIND "RETURN_IF_ERROR(CheckBooks(study, ledger, records));" REPLACE ""
  TESTS "SiteProgramTest.TakesNoLedgerThatDidNotPayForItsContributions")
flaim_mutation(NAME site_spends_any_ledger PROGRAM runtime_programs_tests LIBRARY runtime_programs runtime_site FILE src/runtime/site/site_ledger.cc
  FIND "  RETURN_IF_ERROR(CheckTerms(study, ledger));" REPLACE "  return absl::OkStatus();"
  TESTS "SiteProgramTest.SpendsNoLedgerOfAnotherExactStudy")
flaim_mutation(NAME site_takes_an_id_for_a_plan PROGRAM runtime_programs_tests LIBRARY runtime_programs runtime_site FILE src/runtime/site/site_ledger.cc
  FIND "if (ledger.terms().budget == own.budget && ledger.terms().total == own.total) {" REPLACE "if (true) {"
  TESTS "SiteProgramTest.SpendsNoExactLedgerOfAnotherBudgetOrAccountantWhateverTheIdSays")
flaim_mutation(NAME site_mixes_secure_and_seeded_noise PROGRAM runtime_programs_tests LIBRARY runtime_programs runtime_site FILE src/runtime/site/site_ledger.cc
  FIND "RETURN_IF_ERROR(ledger.CheckNoise(!study.IsResearch()));" REPLACE ""
  TESTS "SiteProgramTest.SpendsNoLedgerWithTheOtherKindOfNoise")
flaim_mutation(NAME site_begins_an_exact_study_that_it_cannot_end PROGRAM runtime_programs_tests LIBRARY runtime_programs runtime_site FILE src/runtime/site/site_ledger.cc
  FIND "return CheckIsEnough(study, ledger);" REPLACE "return absl::OkStatus();"
  TESTS "SiteProgramTest.PaysForNothingOfAnExactStudyThatItCannotPayForAsAWhole")
flaim_mutation(NAME consent_for_another_file_than_was_checked PROGRAM flaim LIBRARY cli FILE src/cli/commands/site_command.cc
  FIND "std::filesystem::weakly_canonical(std::filesystem::absolute(path), error)"
  REPLACE "std::filesystem::absolute(path, error).lexically_normal()"
  SCRIPT tests/federation_test.py
  TESTS "Consents.test_are_for_the_files_that_were_meant_wherever_links_lead_later")
flaim_mutation(NAME consent_to_a_second_account PROGRAM flaim LIBRARY cli FILE src/cli/commands/site_command.cc
  FIND "ASSIGN_OR_RETURN(std::string ledger, LedgerPathOf(account, chosen.csv));"
  REPLACE "account.is_separate = true; ASSIGN_OR_RETURN(std::string ledger, LedgerPathOf(account, chosen.csv));"
  SCRIPT tests/federation_test.py
  TESTS "Consents.test_are_to_no_second_account_of_the_same_rows")
flaim_mutation(NAME consent_without_a_word_about_copies PROGRAM flaim LIBRARY cli FILE src/cli/commands/site_command.cc
  FIND "WarnOfOtherLedgers(ChargeInRegistry(ledger, NameOf(rows), parallel), console);"
  REPLACE ""
  SCRIPT tests/federation_test.py
  TESTS "Consents.test_warn_of_copies_that_another_account_paid_for")
flaim_mutation(NAME consent_to_whatever_roster_there_is PROGRAM flaim LIBRARY cli FILE src/cli/commands/site_command.cc
  FIND "if (flags.accepted != ToHex(known.digest)) {"
  REPLACE "if (false) {"
  SCRIPT tests/federation_test.py
  TESTS "Rosters.test_are_looked_at_before_the_first_sum")
flaim_mutation(NAME status_page_without_the_roster PROGRAM flaim LIBRARY cli FILE src/runtime/programs/coordinator_program.cc
  FIND "status.roster = ToHex(roster_digest);"
  REPLACE ""
  SCRIPT tests/federation_test.py
  TESTS "Rosters.test_are_looked_at_before_the_first_sum")
flaim_mutation(NAME site_logs_how_many_rows_do_not_fit PROGRAM flaim LIBRARY cli FILE src/runtime/programs/site_program.cc
  FIND "world.log.Info(\"site starts\", {"
  REPLACE "world.log.Info(\"site starts\", {{\"unfit\", static_cast<std::int64_t>(opened->unfit_rows)}, "
  SCRIPT tests/federation_test.py
  TESTS "WholeStudies.test_nothing_private_is_in_logs_pages_or_metrics")
flaim_mutation(NAME site_reads_by_a_rule_of_its_own PROGRAM runtime_programs_tests LIBRARY runtime_programs FILE src/runtime/programs/site_rows.cc
  FIND "study.manifest.unfit, progress" REPLACE "UnfitRule::kRefuse, progress"
  TESTS "SiteProgramTest.BeginsWhateverItsRowsHold")
flaim_mutation(NAME site_pins_no_roster PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/site_agent.cc
  FIND "const absl::Status pinned_now = parts_.records.Pin(roster);" REPLACE "const absl::Status pinned_now = absl::OkStatus();"
  TESTS "SiteAgent.KeepsToTheFirstRosterThatItSaw")
flaim_mutation(NAME site_takes_any_manifest PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/site_agent.cc
  FIND "if (SignedManifest{.text = manifest}.digest() != parts_.study.digest) {" REPLACE "if (false) {"
  TESTS "SiteAgent.GivesNothingToACoordinatorWithAnotherManifest")
flaim_mutation(NAME site_forgets_its_answers PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/sum_answer.cc
  FIND "return answers_[digest] = ToText(answer);" REPLACE "return ToText(answer);"
  TESTS "SiteAgent.AnswersAMessageThatComesAgainWithTheSameBytes")
flaim_mutation(NAME site_adds_to_what_others_chose PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/sum_answer.cc
  FIND "if (request.contributors == Contributors::kChoosers && !chosen.contains(clique)) {"
  REPLACE "if (false) {"
  TESTS "SiteAgent.AddsItsCountsOnlyToWhatItChose")
flaim_mutation(NAME site_answers_a_session_again PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/site_records.cc
  FIND "if (answered_.contains(session)) {" REPLACE "if (false) {"
  TESTS "SiteAgent.NeverAnswersASessionAgainAfterItWasStartedAgain")
flaim_mutation(NAME site_logs_what_its_database_quotes PROGRAM runtime_site_tests LIBRARY runtime_site FILE src/runtime/site/guarded_rows.cc
  FIND "if (absl::IsInvalidArgument(value.status())) {" REPLACE "if (false) {"
  TESTS "SiteAgent.LogsNothingOfItsRows")
flaim_mutation(NAME payment_good_for_two_sums PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/release/sum_permit.cc
  FIND "if (spend.recorded_.has_value()) {" REPLACE "if (spend.recorded_.has_value()) return SumPermit(sum, spend.mechanism()); if (false) {"
  TESTS "SumPermitTest.IsNotGivenASecondTime")
flaim_mutation(NAME permit_good_for_two_contributions PROGRAM privacy_tests LIBRARY privacy FILE src/privacy/release/sum_permit.cc
  FIND "granted_(std::exchange(other.granted_, std::nullopt))" REPLACE "granted_(other.granted_)"
  TESTS "SumPermitTest.IsUsedUpByWhoeverTakesItOver")
flaim_mutation(NAME used_permit_pays_for_counts PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/paid_counts.cc
  FIND "(void)permit_->mechanism();" REPLACE ""
  TESTS "ContributionTest.IsNotPaidForByAPermitThatWasUsed")
flaim_mutation(NAME counts_paid_for_another_sum PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/contribution.cc
  FIND "if (permit.sum() != NameOfSum(session)) return InvalidArgument(\"these counts were paid for another sum\");" REPLACE ""
  TESTS "ContributionTest.ThatWasPaidForAnotherSumIsRefused")
flaim_mutation(NAME less_noise_than_was_paid_for PROGRAM secagg_tests LIBRARY secagg FILE src/secagg/protocol/contribution.cc
  FIND "if (terms.blocks[block].sigma_squared >= permit.mechanism().sigma_squared) continue;" REPLACE "continue;"
  TESTS "ContributionTest.WithLessNoiseThanWasPaidForInAnyBlockIsRefused")

# What a networked study promises, and what its coordinator does again after it was killed.
flaim_mutation(NAME sum_of_too_few_sites PROGRAM runtime_study_tests LIBRARY runtime_study FILE src/runtime/study/sum_terms.cc
  FIND "if (invited < study.manifest.minimum_sites) {" REPLACE "if (false) {"
  TESTS "SumTermsTest.AreRefusedForFewerSitesThanTheManifestPromises")
flaim_mutation(NAME study_in_which_a_value_keeps_a_site_away PROGRAM runtime_study_tests LIBRARY runtime_study FILE src/runtime/study/study.cc
  FIND "RETURN_IF_ERROR(CheckRowsDecideNothing(schema, manifest.unfit));" REPLACE ""
  TESTS "OpenStudy.RefusesARuleByWhichAValueKeepsASiteAway:OpenStudy.RefusesNamesThatWouldSplitAFileInAnotherWay")
flaim_mutation(NAME sum_of_scores_without_noise PROGRAM runtime_study_tests LIBRARY runtime_study FILE src/runtime/study/sum_terms.cc
  FIND "ASSIGN_OR_RETURN(entry.sigma_squared, secagg::WithPriceOfSplitting(scores->sigma_squared));" REPLACE ""
  TESTS "SumTerms*")
flaim_mutation(NAME sum_that_is_not_bound_to_its_request PROGRAM runtime_study_tests LIBRARY runtime_study FILE src/runtime/study/sum_terms.cc
  FIND "terms.workload = encoded.RequestDigest();" REPLACE ""
  TESTS "SumTerms*")
flaim_mutation(NAME sum_that_is_not_bound_to_its_roster PROGRAM runtime_study_tests LIBRARY runtime_study FILE src/runtime/study/sum_terms.cc
  FIND "terms.roster = roster.digest();" REPLACE ""
  TESTS "SumTerms*")
flaim_mutation(NAME scores_bounded_like_counts PROGRAM runtime_study_tests LIBRARY runtime_study FILE src/runtime/study/sum_terms.cc
  FIND "entry.bound *= 2 * kSummedScoreScale;" REPLACE ""
  TESTS "SumTerms*")
flaim_mutation(NAME row_with_an_unfit_value_is_refused PROGRAM data_tests LIBRARY data FILE src/data/rows/table_reader.cc
  FIND "if (rule_ == UnfitRule::kRefuse) return BadValue(" REPLACE "if (rule_ != UnfitRule::kDrop) return BadValue("
  TESTS "TableReader.MakesOneRowOrNoneOfEveryRecordByTheRuleForValuesThatDoNotFit:TableReader.CountsUnfitValuesAsOtherOrElseAsMissing")
flaim_mutation(NAME row_with_an_unfit_value_counts_all_the_same PROGRAM data_tests LIBRARY data FILE src/data/rows/table_reader.cc
  FIND "return rule_ == UnfitRule::kOther ? std::span" REPLACE "return true ? std::span"
  TESTS "TableReader.MakesOneRowOrNoneOfEveryRecordByTheRuleForValuesThatDoNotFit")
flaim_mutation(NAME row_with_a_field_too_many_is_refused PROGRAM data_tests LIBRARY data FILE src/data/rows/table_reader.cc
  FIND "if (rule_ == UnfitRule::kRefuse) return WrongFieldCount(reader, header_);" REPLACE "return WrongFieldCount(reader, header_);"
  TESTS "TableReader.MakesOneRowOrNoneOfEveryRecordByTheRuleForValuesThatDoNotFit")
flaim_mutation(NAME arrow_row_with_an_unfit_value_counts_all_the_same PROGRAM arrow_tests LIBRARY arrow FILE src/arrow/arrow_reader.cc
  FIND "if (!result.fits) is_unfit_[static_cast<std::size_t>(row)] = true;" REPLACE ""
  TESTS "ArrowReader.LeavesRowsOutThatDoNotFitOrCountsTheirValuesAsOther")
flaim_mutation(NAME database_counts_values_that_do_not_fit PROGRAM rows_postgres_tests LIBRARY rows_postgres FILE src/rows/postgres/code.cc
  FIND "if (!runs_[i].fits) unfit.push_back(fmt::format(\"{}\", i + 1));" REPLACE ""
  TESTS "PostgresCode.KnowsTheValuesThatDoNotFitByTheirRunOrByTheirText")
flaim_mutation(NAME fit_told_of_the_noise_that_was_paid_for PROGRAM networked_tests
  LIBRARY algorithms simulation evaluation partition datasets runtime_coordinator runtime_site FILE src/runtime/coordinator/networked_federation.cc
  FIND ".variance = VarianceOfSum(terms, static_cast<int>(sum->contributors.size())),"
  REPLACE ".variance = std::holds_alternative<CountsRequest>(body) ? std::get<CountsRequest>(body).sigma_squared.ToDouble() : 1.0,"
  TESTS "NetworkedFederation.TellsTheFitHowMuchNoiseItsSumsHave")
flaim_mutation(NAME penalty_for_the_noise_that_was_paid_for PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/selection/candidates.cc
  FIND "const double sigma = spending.Sigma() * std::sqrt(state.surplus);" REPLACE "const double sigma = spending.Sigma();"
  TESTS "FindCandidates.ArePenalisedForTheNoiseThatSumsHaveAndNotForWhatWasPaid")
flaim_mutation(NAME report_of_the_noise_that_was_paid_for PROGRAM federated_tests LIBRARY algorithms simulation evaluation partition datasets FILE src/algorithms/loop/state.cc
  FIND "surplus = noisy.variance / request.sigma_squared.ToDouble();" REPLACE ""
  TESTS "FederatedRun.ReportsAndPenalisesTheNoiseThatItsSumsHave")
flaim_mutation(NAME study_with_any_delimiter PROGRAM runtime_study_tests LIBRARY runtime_study FILE src/runtime/study/study.cc
  FIND "if (kUsual.find(schema.delimiter) == std::string_view::npos) {" REPLACE "if (false) {"
  TESTS "OpenStudy.RefusesUnusualDelimiters")
flaim_mutation(NAME coordinator_counts_the_invited_as_contributors PROGRAM networked_tests
  LIBRARY algorithms simulation evaluation partition datasets runtime_coordinator runtime_site FILE src/runtime/coordinator/networked_federation.cc
  FIND ".contributors = std::ssize(sum->contributors)};" REPLACE ".contributors = std::ssize(sum->invited)};"
  TESTS "NetworkedFederation.ScalesForASiteThatDropsOutOfASum")
flaim_mutation(NAME splitting_is_not_paid_for PROGRAM runtime_study_tests LIBRARY runtime_study FILE src/secagg/noise/noise_plan.cc
  FIND "return Rational(numerator + 1, denominator);" REPLACE "return sigma_squared;"
  TESTS "SumTermsTest.HaveABlockForEachMarginalWithAHairMoreNoiseThanIsPaid:PriceOfSplitting.IsBelowWhatTheHairPaysFor")
flaim_mutation(NAME damaged_length_cuts_a_log_off PROGRAM io_tests LIBRARY io FILE src/io/append_log.cc
  FIND "if (!rest.starts_with(LengthField(chain_, size))) return Damaged();" REPLACE ""
  TESTS "AppendLogTest.NeverForgetsARecordThatOthersFollow")
flaim_mutation(NAME sum_begun_again_after_a_crash PROGRAM networked_tests
  LIBRARY algorithms simulation evaluation partition datasets runtime_coordinator runtime_site FILE src/runtime/coordinator/networked_federation.cc
  FIND "ASSIGN_OR_RETURN(std::optional<StudyJournal::Sum> sum, parts_.journal.ReplaySum());"
  REPLACE "ASSIGN_OR_RETURN(std::optional<StudyJournal::Sum> sum, parts_.journal.ReplaySum()); if (sum && !sum->is_done) sum.reset();"
  TESTS "KilledCoordinator.*")
flaim_mutation(NAME stage_closed_without_a_record PROGRAM networked_tests
  LIBRARY algorithms simulation evaluation partition datasets runtime_coordinator runtime_site FILE src/runtime/coordinator/sum_run.cc
  FIND "RETURN_IF_ERROR(sum_.events.StageClosed());" REPLACE ""
  TESTS "KilledCoordinator.*")

# Scores: what is public, and what is clamped.
flaim_mutation(NAME public_shares_of_more_than_one PROGRAM marginal_tests LIBRARY marginal FILE src/marginal/public_shares.cc
  FIND "std::min(unit, kUnit - total_)"
  REPLACE "unit + 1"
  TESTS "PublicShares.*")
flaim_mutation(NAME cells_without_rows_expect_nothing PROGRAM marginal_tests LIBRARY marginal FILE src/marginal/public_shares.cc
  FIND "std::int64_t distance = size * shares.total();"
  REPLACE "std::int64_t distance = size;"
  TESTS "ShareDistanceMeter.*")
flaim_mutation(NAME shares_compared_with_a_size_that_is_public PROGRAM marginal_tests LIBRARY marginal FILE src/marginal/public_shares.cc
  FIND "const std::int64_t expected = size * shares.units()[cell];"
  REPLACE "const std::int64_t expected = (size + 1) * shares.units()[cell];"
  TESTS "ShareDistanceMeter.*")
flaim_mutation(NAME counts_not_clamped PROGRAM marginal_tests LIBRARY marginal FILE src/marginal/score.cc
  FIND "std::clamp<std::int64_t>(comparison.counts[cell], 0, count_limit)"
  REPLACE "comparison.counts[cell]"
  TESTS "Distance.*")
flaim_mutation(NAME counts_too_large_are_an_error PROGRAM marginal_tests LIBRARY marginal FILE src/marginal/score.cc
  FIND "const bool fits = Fits(expected, limit);"
  REPLACE "const bool fits = Fits(expected, limit) && comparison.counts[cell] <= count_limit;"
  TESTS "Distance.*")
flaim_mutation(NAME score_not_saturated PROGRAM marginal_tests LIBRARY marginal FILE src/marginal/score.cc
  FIND "return Saturate(static_cast<Int128>(Saturate(difference)) * query.weight);"
  REPLACE "return static_cast<std::int64_t>(static_cast<Int128>(Saturate(difference)) * query.weight);"
  TESTS "Score.*")

# Schemas that rows have had a say in.
flaim_mutation(NAME bins_from_rows_without_a_stamp PROGRAM data_tests LIBRARY data FILE src/data/guess/schema_init.cc
  FIND "spec.derived_from_private_rows = true;"
  REPLACE ""
  TESTS "SchemaInit.*")
flaim_mutation(NAME guessed_types_without_a_stamp PROGRAM data_tests LIBRARY data FILE src/data/guess/schema_init.cc
  FIND "\"derived_from_private_rows = true"
  REPLACE "\"# derived_from_private_rows = true"
  TESTS "SchemaInit.*")

# Counts that others make: arrays from Python, engines and their NULLs.
flaim_mutation(NAME counts_of_another_shape PROGRAM marginal_tests LIBRARY marginal FILE src/marginal/given_counts.cc
  FIND "std::equal(shape.begin(), shape.end(), sizes.begin(), sizes.end())"
  REPLACE "shape.size() == sizes.size()"
  TESTS "GivenCounts.*")
flaim_mutation(NAME engine_may_drop_rows_with_null PROGRAM marginal_tests LIBRARY marginal FILE src/marginal/given_counts.cc
  FIND "if (*records_ == total)"
  REPLACE "if (*records_ >= total)"
  TESTS "GivenCounts.*")
flaim_mutation(NAME negative_counts_are_taken PROGRAM marginal_tests LIBRARY marginal FILE src/marginal/given_counts.cc
  FIND "if (count < 0)"
  REPLACE "if (count < -1)"
  TESTS "GivenCounts.*")
flaim_mutation(NAME null_of_a_database_has_no_code PROGRAM rows_postgres_tests LIBRARY rows_postgres FILE src/rows/postgres/code.cc
  FIND "null_code_ = value.code;"
  REPLACE ""
  TESTS "PostgresCode.*")

# A run that was paid for ends with a model, and can be stopped before it pays.
flaim_mutation(NAME covered_candidates_are_free PROGRAM model_tests LIBRARY model FILE src/model/inference/triangulation.cc
  FIND "if (IsJoined(candidate)) return cells_;"
  REPLACE "for (const Component& one : components_) if (candidate.IsSubsetOf(Clique(one.attributes))) return cells_;"
  TESTS "HypotheticalSize.*")
flaim_mutation(NAME covered_candidates_are_free_in_a_run PROGRAM app_tests LIBRARY app FILE src/model/inference/triangulation.cc
  FIND "if (IsJoined(candidate)) return cells_;"
  REPLACE "for (const Component& one : components_) if (candidate.IsSubsetOf(Clique(one.attributes))) return cells_;"
  TESTS "PaidRuns.*")
flaim_mutation(NAME candidates_within_a_node_are_free PROGRAM app_tests LIBRARY app FILE src/model/inference/triangulation.cc
  FIND "if (IsJoined(candidate)) return cells_;"
  REPLACE "std::vector<Clique> all; for (const Component& one : components_) all.insert(all.end(), one.cliques.begin(), one.cliques.end()); double least = 1e300; bool is_covered = false; for (const EliminationRule rule : kAllRules) { EliminationGraph graph(sizes_, all); double sum = 0; bool is_within = false; for (const AttributeSet& node : EliminationCliques(graph, rule)) { sum += graph.Cells(node); is_within = is_within || candidate.IsSubsetOf(ToClique(node)); } if (sum < least) is_covered = is_within; least = std::min(least, sum); } if (is_covered || IsJoined(candidate)) return cells_;"
  TESTS "PaidRuns.*")
flaim_mutation(NAME candidates_of_a_model_without_its_choices PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/loop/state.cc
  FIND "std::vector<Clique> cliques = released.Cliques();"
  REPLACE "std::vector<Clique> cliques;"
  TESTS "FindCandidates.NeverOffersWhatTheNextFitCannotTakeIn")
flaim_mutation(NAME too_large_for_a_model_is_an_error PROGRAM algorithms_tests LIBRARY algorithms FILE src/algorithms/loop/state.cc
  FIND "EstimateFromWhatFits(problem"
  REPLACE "EstimateModel(problem"
  TESTS "RunState.*")
flaim_mutation(NAME half_a_loop_taken_for_all PROGRAM base_tests LIBRARY base FILE src/base/parallel.cc
  FIND "  return StopIfAsked();"
  REPLACE "  return absl::OkStatus();"
  TESTS "*StopsSoonAfterItIsAskedToAndSaysSo*")

# What stands between a rule and the rows: sites, sums, stamps, and whoever counts for Python.
flaim_mutation(NAME site_runs_any_version PROGRAM runtime_programs_tests LIBRARY runtime_programs FILE src/runtime/programs/site_program.cc
  FIND "RETURN_IF_ERROR(CheckSoftware(study, world.software));" REPLACE ""
  TESTS "SiteProgramTest.ServesNoStudyOfAnotherVersion")
flaim_mutation(NAME site_logs_what_is_for_the_owner PROGRAM flaim LIBRARY cli FILE src/runtime/programs/site_program.cc
  FIND "if (IsForOwnerOnly(opened.status())) {" REPLACE "if (false) {"
  SCRIPT tests/federation_test.py
  TESTS "Refusals.test_a_file_that_is_no_table_is_the_doctors_to_explain_and_in_no_log")
flaim_mutation(NAME sum_with_the_noise_of_one_share PROGRAM runtime_study_tests LIBRARY runtime_study FILE src/runtime/study/sum_terms.cc
  FIND ".VarianceOfCounts(contributors);" REPLACE ".VarianceOfCounts(1);"
  TESTS "SumTerms*")
flaim_mutation(NAME sum_with_the_noise_that_was_paid_for PROGRAM runtime_study_tests LIBRARY runtime_study FILE src/runtime/study/sum_terms.cc
  FIND "return secagg::NoisePlan::Make(sigma_squared, terms.bounds).value().VarianceOfCounts(contributors);"
  REPLACE "return sigma_squared.ToDouble();"
  TESTS "SumTerms*")
flaim_mutation(NAME proxy_that_is_no_mean PROGRAM marginal_tests LIBRARY marginal FILE src/marginal/public_shares.cc
  FIND "sum += distance.units / static_cast<std::int64_t>(one_ways.size());" REPLACE "sum += distance.units;"
  TESTS "MeanDistance.*:ShareDistance.*")
flaim_mutation(NAME summed_score_in_finer_units PROGRAM marginal_tests LIBRARY marginal FILE src/marginal/public_shares.cc
  FIND "return distance.units / (PublicShares::kUnit / kSummedScoreScale);"
  REPLACE "return distance.units / (PublicShares::kUnit / (2 * kSummedScoreScale));"
  TESTS "SummedScore.*:ShareDistance.*")
flaim_mutation(NAME research_sum_called_secure PROGRAM networked_tests
  LIBRARY algorithms simulation evaluation partition datasets runtime_coordinator runtime_site FILE src/runtime/coordinator/networked_federation.cc
  FIND ".provenance = parts_.provenance," REPLACE ".provenance = \"secure\","
  TESTS "All/EveryMethod.GivesTheSimulationsModelBitForBit/*")
flaim_mutation(NAME model_of_a_method_that_is_not_private_without_a_word PROGRAM flaim LIBRARY cli FILE src/app/simulation.cc
  FIND "outcome->fitted.report.noise += \", of a method that is NOT PRIVATE itself\";" REPLACE ""
  SCRIPT tests/cli_simulate_test.py
  TESTS "RunTest.test_the_model_is_stamped_and_can_be_used")
flaim_mutation(NAME model_forgets_where_its_schema_came_from PROGRAM flaim LIBRARY cli FILE src/app/fit_settings.cc
  FIND "report.derived_from_private_rows = settings.schema.spec().derived_from_private_rows;" REPLACE ""
  SCRIPT tests/cli_model_test.py
  TESTS "FitTest.test_seeded_noise_and_a_schema_from_the_rows_are_stamped_for_good")
flaim_mutation(NAME measurements_forget_where_their_schema_came_from PROGRAM flaim LIBRARY cli FILE src/cli/commands/measure_command.cc
  FIND "{\"schema_is_private\", !schema.spec().derived_from_private_rows}," REPLACE "{\"schema_is_private\", true},"
  SCRIPT tests/cli_model_test.py
  TESTS "FitTest.test_seeded_noise_and_a_schema_from_the_rows_are_stamped_for_good")
flaim_mutation(NAME exact_figures_called_private PROGRAM flaim LIBRARY cli FILE src/cli/commands/evaluate_command.cc
  FIND "{{\"is_private\", false}," REPLACE "{{\"is_private\", true},"
  SCRIPT tests/cli_model_test.py
  TESTS "EvaluateTest.test_what_is_exact_says_that_it_is_not_private")
flaim_mutation(NAME time_in_what_others_may_read PROGRAM flaim LIBRARY cli FILE src/cli/commands/fit_command.cc
  FIND "{\"run\", outcome.run}," REPLACE "{\"run\", outcome.run}, {\"seconds\", outcome.seconds},"
  SCRIPT tests/cli_model_test.py
  TESTS "FitTest.test_json_tells_no_time")
flaim_mutation(NAME run_that_more_memory_does_not_finish PROGRAM flaim LIBRARY cli FILE src/app/fit_settings.cc
  FIND "if (settings.unfit != UnfitRule::kRefuse) text +="
  REPLACE "text += fmt::format(\"memory {}\\n\", settings.memory.bytes()); if (settings.unfit != UnfitRule::kRefuse) text +="
  SCRIPT tests/cli_model_test.py
  TESTS "FitTest.test_what_a_run_is_does_not_depend_on_the_memory")
flaim_mutation(NAME given_counts_of_any_shape PROGRAM marginal_tests LIBRARY marginal FILE src/marginal/given_counts.cc
  FIND "RETURN_IF_ERROR(CheckShape(clique, shape));" REPLACE ""
  TESTS "GivenCounts.AreTakenOnlyIf*")
flaim_mutation(NAME given_counts_of_any_number_of_records PROGRAM marginal_tests LIBRARY marginal FILE src/marginal/given_counts.cc
  FIND "return CheckCounts(clique, cells);" REPLACE "return absl::OkStatus();"
  TESTS "GivenCounts.AreTakenOnlyIf*")
flaim_mutation(NAME engine_joins_away_what_is_not_listed FILE python/flaim/counts/column_code.py
  FIND "join = f\"LEFT JOIN (VALUES" REPLACE "join = f\"JOIN (VALUES"
  SCRIPT tests/sql_codes_test.py
  TESTS "NullTest.test_keeps_no_row_from_being_counted")
flaim_mutation(NAME engine_has_no_code_for_null_among_numbers FILE python/flaim/counts/column_code.py
  FIND "arms = [f\"WHEN {comparison.is_missing()} THEN {missing}\"]" REPLACE "arms = [f\"WHEN {comparison.is_missing()} THEN NULL\"]"
  SCRIPT tests/sql_codes_test.py
  TESTS "NullTest.test_keeps_no_row_from_being_counted")
flaim_mutation(NAME engine_has_no_code_for_null_among_truth_values FILE python/flaim/counts/column_code.py
  FIND "WHEN NOT {value} THEN 0 ELSE {missing} END" REPLACE "WHEN NOT {value} THEN 0 END"
  SCRIPT tests/sql_codes_test.py
  TESTS "NullTest.test_keeps_no_row_from_being_counted")
flaim_mutation(NAME engine_takes_null_for_another_text FILE python/flaim/counts/column_code.py
  FIND "CASE WHEN {value} IS NULL THEN {missing} ELSE {others} END" REPLACE "{others}"
  SCRIPT tests/sql_codes_test.py
  TESTS "NullTest.test_is_the_last_code_of_a_column_that_has_one")
flaim_mutation(NAME engine_takes_null_where_the_schema_has_none FILE python/flaim/counts/sql.py
  FIND "missing = rule[\"size\"] - 1 if rule[\"nullable\"] else REFUSED" REPLACE "missing = rule[\"size\"] - 1"
  SCRIPT tests/sql_codes_test.py
  TESTS "NullTest.test_is_refused_by_a_column_that_has_none")
flaim_mutation(NAME engine_counts_columns_that_it_does_not_group_by FILE python/flaim/counts/sql.py
  FIND "COALESCE(grouped.{code}, {_NOT_GROUPED})" REPLACE "COALESCE(grouped.{code}, 0)"
  SCRIPT tests/sql_codes_test.py
  TESTS "NullTest.test_is_what_a_row_has_in_a_column_by_which_it_is_not_grouped")

# The audit: whole methods, as somebody sees them who looks for one record.
flaim_mutation(NAME audit_sigma_over_root_two PROGRAM audit_tests LIBRARY audit FILE src/privacy/release/release.cc
  FIND "DiscreteGaussian(spend.mechanism().sigma_squared).Add(noise, noisy.values);"
  REPLACE "DiscreteGaussian(Rational(spend.mechanism().sigma_squared.numerator(), 2 * spend.mechanism().sigma_squared.denominator())).Add(noise, noisy.values);"
  TESTS "Audit.FindsThatAimMeasuresWithTheNoiseItPaysFor")
flaim_mutation(NAME audit_sensitivity_halved PROGRAM audit_tests LIBRARY audit FILE src/one_table/one_table.cc
  FIND "ASSIGN_OR_RETURN(const ExponentialMechanism mechanism, MechanismOf(request));"
  REPLACE "ASSIGN_OR_RETURN(ExponentialMechanism mechanism, MechanismOf(request)); mechanism.sensitivity /= 2;"
  TESTS "Audit.FindsThatAimChoosesWithTheSensitivityItPaysFor")
flaim_mutation(NAME audit_one_ways_not_charged PROGRAM audit_tests LIBRARY audit FILE src/algorithms/spending/round_shape.cc
  FIND "measured_ = one_ways_;" REPLACE "measured_ = 0;"
  TESTS "Audit.FindsThatAugFlaimPaysForItsOneWays")
flaim_mutation(NAME audit_second_draw_after_a_crash PROGRAM audit_tests LIBRARY audit FILE src/privacy/release/release.cc
  FIND "return NoisyCounts{.values = std::move(values), .provenance = spend.recorded_->provenance, .variance = variance};"
  REPLACE "values.assign(counts.begin(), counts.end()); DiscreteGaussian(spend.mechanism().sigma_squared).Add(noise, values); return NoisyCounts{.values = std::move(values), .provenance = noise.Provenance(), .variance = variance};"
  TESTS "Audit.FindsThatAimTellsTheSameAgainAfterACrash")
flaim_mutation(NAME audit_share_of_noise_missing PROGRAM audit_tests LIBRARY audit FILE src/simulation/simulated_federation.cc
  FIND "for (const ClientIndex member : members_) {" REPLACE "for (const ClientIndex member : members_.subspan(1)) {"
  TESTS "Audit.FindsThatFlaimOnceKeepsItsClaimAndComesNearIt")
flaim_mutation(NAME audit_exact_accountant_forgets_a_round PROGRAM audit_tests LIBRARY audit FILE src/algorithms/spending/equal.cc
  FIND "round_ && i < rounds_paid" REPLACE "round_ && i < (rounds_paid + 1) / 2"
  TESTS "Audit.FindsThatAugFlaimPaysForItsOneWays")
flaim_mutation(NAME audit_exact_plan_of_shares_as_if_whole PROGRAM audit_tests LIBRARY audit FILE src/algorithms/spending/parts.cc
  FIND "if (noise == SumNoise::kSplit) return SplitGaussian{sum};" REPLACE ""
  TESTS "Audit.FindsThatFlaimOnceKeepsItsClaimAndComesNearIt")
flaim_mutation(NAME audit_augmented_sensitivity_halved PROGRAM audit_tests LIBRARY audit FILE src/marginal/sensitivity.cc
  FIND "kMoveOfAugmentedShareScore = 4" REPLACE "kMoveOfAugmentedShareScore = 2"
  TESTS "Audit.FindsThatAugFlaimChoosesWithTheSensitivityItPaysFor")
flaim_mutation(NAME audit_sensitivity_of_clients_halved PROGRAM audit_tests LIBRARY audit FILE src/federation/client_answer.cc
  FIND "ReleaseExponential(std::move(payments.selections[static_cast<std::size_t>(step)]), scores_left, noise));"
  REPLACE "ReleaseExponential(std::move(payments.selections[static_cast<std::size_t>(step)]), [&] { for (std::int64_t& score : scores_left) score *= 2; return scores_left; }(), noise));"
  TESTS "Audit.FindsThatAugFlaimChoosesWithTheSensitivityItPaysFor")
flaim_mutation(NAME audit_lost_debit_costs_nothing PROGRAM audit_tests LIBRARY audit FILE src/privacy/ledger/ledger_state.cc
  FIND "const Rho cumulative = spent_ + cost;" REPLACE "const Rho cumulative = spent_ + (history == nullptr ? cost : Rho());"
  TESTS "Audit.FindsThatAimTellsTheSameAgainAfterACrash")

# Estimation with a prior.
flaim_mutation(NAME prior_divergence_not_counted PROGRAM model_tests LIBRARY model FILE src/model/estimation/newton_with_prior.cc
  FIND "loss_.Loss(stage_.marginals()) + options_.prior * Divergence()"
  REPLACE "loss_.Loss(stage_.marginals())"
  TESTS "EstimationWithAPrior.*")
flaim_mutation(NAME prior_certifies_twice_as_much PROGRAM model_tests LIBRARY model FILE src/model/estimation/newton_with_prior.cc
  FIND "gap += weight * gradient * gradient / 2;"
  REPLACE "gap += weight * gradient * gradient / 4;"
  TESTS "EstimationWithAPrior.ReportsWhatItMinimisedAndCertifiesNoMoreThanIsTrue")
flaim_mutation(NAME prior_ends_at_a_stiffer_stage PROGRAM model_tests LIBRARY model FILE src/model/estimation/newton_with_prior.cc
  FIND "stiffness = std::max(options_.prior, stiffness / kStiffnessFactor);"
  REPLACE "stiffness = std::max(2 * options_.prior, stiffness / kStiffnessFactor);"
  TESTS "EstimationWithAPrior.*")

# A model over bins is a distribution over values.
flaim_mutation(NAME levels_ignored_in_densities PROGRAM model_tests LIBRARY model FILE src/model/inference/model.cc
  FIND "score += std::log(levels_->Share(attribute, record[attribute]));"
  REPLACE "score += 0;"
  TESTS "ModelWithLevels.HasDensitiesOverValuesThatAddUpToOne")
flaim_mutation(NAME condition_forgets_the_share_of_allowed_values PROGRAM model_tests LIBRARY model FILE src/model/inference/condition.cc
  FIND "potentials.push_back(std::log(share));"
  REPLACE "potentials.push_back(share > 0 ? 0 : std::log(share));"
  TESTS "Condition.*")
flaim_mutation(NAME condition_keeps_the_values_it_rules_out PROGRAM model_tests LIBRARY model FILE src/model/inference/condition.cc
  FIND "own[value] = 0;"
  REPLACE "own[value] *= 1;"
  TESTS "Condition.*")
flaim_mutation(NAME levels_refined_to_uniform_values PROGRAM model_tests LIBRARY model FILE src/model/inference/levels.cc
  FIND "const double share = SharesOf(attribute)[value];"
  REPLACE "const double share = 1.0 / static_cast<double>(bins_.ValuesByBin(attribute)[bins_.Of(attribute)[value]].size());"
  TESTS "Levels.DivideEachCellAmongItsValuesAsDefined:ModelWithLevels.AnswersEveryMarginalOverValuesAndOverBins")

# Rows by swapping.
flaim_mutation(NAME swap_gain_counts_shared_cells PROGRAM model_tests LIBRARY model FILE src/model/kernels/row_swap.cc
  FIND "if (leaving[marginal] == entering[marginal]) continue;" REPLACE ""
  TESTS "RowSwap.GainIsWhatCountingAllRowsAgainSays")
flaim_mutation(NAME swaps_made_whether_they_gain_or_not PROGRAM model_tests LIBRARY model FILE src/model/sampling/swap_block.cc
  FIND "if (kernels::SwapGain(cells, from, to) < kLeastGain) continue;" REPLACE ""
  TESTS "RowSwaps.TheDistanceNeverRisesFromPassToPass")
flaim_mutation(NAME swapped_rows_keep_the_cells_of_their_predecessors PROGRAM model_tests LIBRARY model FILE src/model/sampling/swap_block.cc
  FIND "std::swap(cells[row], cells[spare]);" REPLACE "std::swap(cells[row], cells[row]), void(spare);"
  TESTS "RowSwaps.TheDistanceNeverRisesFromPassToPass")
flaim_mutation(NAME swap_blocks_forget_their_predecessors PROGRAM model_tests LIBRARY model FILE src/model/sampling/row_swaps.cc
  FIND "excess_[i] -= expected_[i] * share_of_all;" REPLACE "excess_[i] = -expected_[i] * share_of_all;"
  TESTS "RowSwaps.KeepsUpTheDistanceOfAllBlocksThatCountingThemAgainFinds:RowSwaps.ABlockMakesUpForWhatItsPredecessorsLeftOver")
